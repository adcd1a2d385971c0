// What the receiver of a history finds in planted messages.
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type HookReceiver, type Rested, startHookReceiver } from "./webhooks";

const KEY = Buffer.alloc(32, 7);
const RESTED: readonly Rested[] = [
  { kind: "payment", id: "dord_1", status: "succeeded" },
  { kind: "payment", id: "dord_2", status: "requires_action" },
  { kind: "topup", id: "tuin_1", status: "succeeded" },
];

let hooks: HookReceiver;
let heard: string[];
beforeEach(async () => {
  heard = [];
  hooks = await startHookReceiver();
  hooks.trust(`whsec_${KEY.toString("base64")}`);
  hooks.begin(
    () => 99,
    ({ kind, id, status }) => heard.push(`${kind} ${id} ${status}`),
  );
});
afterEach(() => hooks.stop());

function bodyOf(id: string, intent: string, status: string): string {
  return JSON.stringify({ id, type: `payment_intent.${status}`, data: { payment_intent_id: intent, status } });
}

async function send(id: string, body: string, key = KEY): Promise<number> {
  const time = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  const headers = { "webhook-id": id, "webhook-timestamp": String(time), "webhook-signature": `v1,${signature}` };
  return (await fetch(hooks.url, { method: "POST", headers, body })).status;
}

const FIRST = bodyOf("evt_1", "dord_1", "succeeded");

it("accepts one event of each intent that has ended, however often it comes", async () => {
  expect([await send("evt_1", FIRST), await send("evt_1", FIRST)]).toEqual([200, 200]);
  expect(hooks.complaints(RESTED)).toEqual([]);
  expect([hooks.count, heard]).toEqual([2, ["payment dord_1 succeeded"]]);
});

it("finds an event that is missing, and one that says something else", async () => {
  expect(hooks.complaints(RESTED)).toEqual(["the payment dord_1 is succeeded, and its events say nothing"]);
  await send("evt_1", bodyOf("evt_1", "dord_1", "failed"));
  expect(hooks.complaints(RESTED)).toEqual(["the payment dord_1 is succeeded, and its events say failed"]);
});

it("finds a second event, one about an intent that goes on, and one about none", async () => {
  await send("evt_1", FIRST);
  await send("evt_2", bodyOf("evt_2", "dord_1", "succeeded"));
  await send("evt_3", bodyOf("evt_3", "dord_2", "expired"));
  await send("evt_4", bodyOf("evt_4", "dord_9", "expired"));
  expect(hooks.complaints(RESTED)).toEqual([
    "the payment dord_1 is succeeded, and its events say succeeded and succeeded",
    "the payment dord_2 is requires_action, and its events say expired",
    "an event was received about dord_9, which nobody created",
  ]);
});

it("finds a repeat with another body, a foreign signature, and an id that is not the event's", async () => {
  await send("evt_1", FIRST);
  await send("evt_1", FIRST.replace("{", "{ "));
  await send("evt_1", FIRST, Buffer.alloc(32, 8));
  await send("evt_2", FIRST);
  expect(hooks.complaints(RESTED)).toEqual([
    "the event evt_1 came again with another body",
    expect.stringContaining("no signature is of this secret"),
    expect.stringContaining("the message evt_2 is about the event evt_1"),
  ]);
});

it("fails at random until it is healed; a late repeat of an earlier history is no event of the present one", async () => {
  await send("evt_1", FIRST);
  hooks.begin(
    () => 0,
    () => {},
  );
  expect(await send("evt_1", FIRST)).toBe(500);
  hooks.heal();
  expect(await send("evt_1", FIRST)).toBe(200);
  expect(hooks.complaints([])).toEqual([]);
});
