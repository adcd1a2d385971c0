// Tests the retry schedule of callbacks, their states and their names.
import { expect, it } from "vitest";
import {
  callbackName,
  callbackState,
  keyOfBody,
  parseCallbackName,
  retryDelayMs,
  unappliedCallbackException,
} from "./callback";

const delays = (reason: "unmatched" | "failing") => {
  const all: number[] = [];
  for (let tries = 1; ; tries += 1) {
    const delay = retryDelayMs(reason, tries);
    if (delay === null) return all;
    all.push(delay);
  }
};

it.each(["unmatched", "failing"] as const)("a callback that is %s is retried 15 times within 67 minutes", (reason) => {
  const all = delays(reason);
  expect(all.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  expect(all.slice(-2)).toEqual([600_000, 600_000]);
  expect(all).toHaveLength(15);
  expect(all.reduce((sum, delay) => sum + delay, 0) / 60_000).toBeCloseTo(67, 0);
});

it.each(["unreadable", "unverified"] as const)(
  "a callback that is %s is not retried: no try can change that",
  (reason) => {
    expect(retryDelayMs(reason, 1)).toBeNull();
  },
);

it("the first body of a callback is stored under its own id, each further one under its number", () => {
  const key = { provider: "acme", callbackId: "cb_1" };
  expect([1, 2, 16].map((number) => keyOfBody(key, number))).toEqual([
    key,
    { provider: "acme", callbackId: "cb_1~2" },
    { provider: "acme", callbackId: "cb_1~16" },
  ]);
});

it("the state follows from the result", () => {
  expect(
    [null, "applied", "ignored", "handed_over"].map((result) => callbackState(result as "applied" | null)),
  ).toEqual(["waiting", "applied", "ignored", "handed_over"]);
  for (const reason of ["unreadable", "unmatched", "failing"] as const) expect(callbackState(reason)).toBe("unapplied");
});

it.each(["cb_1", "a/b", "sha256:00"])("the name of callback %s is read back", (callbackId) => {
  const key = { provider: "acme", callbackId };
  expect(parseCallbackName(callbackName(key))).toEqual(key);
});

it.each(["cb_1", "/cb_1", ""])("text without a provider is no name: %j", (text) => {
  expect(parseCallbackName(text)).toBeNull();
});

it("an exception is about the intent, the reference, or the callback where none can be read", () => {
  const key = { provider: "acme", callbackId: "cb_1" };
  const unread = { reason: "unreadable", reference: null, intentId: null, why: "It is not JSON." } as const;
  expect(unappliedCallbackException(key, unread)).toEqual({
    kind: "unapplied_callback",
    objectId: "acme/cb_1",
    fact: "callback:acme/cb_1",
    detail: {
      reason: "unreadable",
      provider: "acme",
      callback: "acme/cb_1",
      reference: null,
      why: "It is not JSON.",
    },
  });
  expect(unappliedCallbackException(key, { ...unread, reference: "dord_1" }).objectId).toBe("dord_1");
  const named = { ...unread, reference: "dord_tag_hash", intentId: "dord_1" };
  expect(unappliedCallbackException(key, named).objectId).toBe("dord_1");
});
