import { expect, it } from "vitest";
import { decideOnKey, type KeyUse } from "./idempotency";

const RUNNING: KeyUse<string> = {
  isExpired: false,
  isSameRequest: true,
  answer: null,
  holder: "h",
  objectId: "order_1",
  isOurs: false,
  isLeaseOver: false,
};
it("a key without a record is executed", () => expect(decideOnKey(null)).toEqual({ kind: "execute" }));

it.each([
  ["runs elsewhere", {}, { kind: "wait" }],
  ["runs elsewhere, and the request is another", { isSameRequest: false }, { kind: "conflict" }],
  ["has its answer", { answer: "a" }, { kind: "replay", answer: "a" }],
  ["has its answer, and the request is another", { answer: "a", isSameRequest: false }, { kind: "conflict" }],
  [
    "was claimed by this execution, whose reply was lost",
    { isOurs: true },
    { kind: "resume", holder: "h", objectId: "order_1" },
  ],
  [
    "was claimed by an execution whose lease is over",
    { isLeaseOver: true },
    { kind: "resume", holder: "h", objectId: "order_1" },
  ],
  ["is expired, whatever else it says", { isExpired: true, answer: "a", isSameRequest: false }, { kind: "forget" }],
] as const)("a key that %s", (_, change, decision) => {
  expect(decideOnKey({ ...RUNNING, ...change })).toEqual(decision);
});
