// Tests the commands for webhooks: events of real objects, forwarded to a local address, sent again.
import { setTimeout as pause } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { query } from "@/server/db/client";
import { EVENT_TYPES, type EventType } from "@/server/domain/events";
import { json, type LocalServer, startLocalServer } from "@/server/psp/testing/local-server";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createMerchant } from "@/server/services/merchants/create";
import { operatorContext } from "@/server/services/merchants/operator";
import { triggerEvent } from "@/server/services/sandbox/trigger";
import { createWebhookEndpoint } from "@/server/services/webhooks/create-endpoint";
import { listEvents } from "@/server/services/webhooks/events";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMember } from "@/server/testing/merchant";
import { documentOf, refusalOf, runCli } from "./testing/run-cli";

/** Each run of the command line is a process, which takes long on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

let merchant: string;
let receiver: LocalServer;

beforeAll(async () => {
  receiver = await startLocalServer();
  receiver.respond = json(200, {});
  merchant = await createMerchant("Shop", ["BRL"]);
  await makeMember(merchant, "eva@shop.example", "approver");
});
afterAll(() => receiver.stop());

const typesOf = async (intentId: string) =>
  (await listEvents({ merchantId: merchant, environment: "test" }, { intentId }, null, 5)).rows.map(({ type }) => type);

it.each(EVENT_TYPES)("a real object ends, which creates %s", async (type: EventType) => {
  expect(await typesOf(await triggerEvent(merchant, type))).toEqual([type]);
  await requireInvariants();
});

it("a merchant without an approver is rejected before anything is created", async () => {
  const lonely = await createMerchant("Lonely", ["BRL"]);
  await expect(triggerEvent(lonely, "payout_intent.failed")).rejects.toMatchObject({
    code: "validation_failed",
    message: "merchant has no active approver; create one with members create",
  });
  expect(await query("SELECT FROM payout_intent WHERE merchant_id = $1", lonely)).toEqual([]);
});

it("listen forwards new events, signed with the secret that it prints every time", async () => {
  const words = ["listen", "--forward-to", `${receiver.url}/hooks`, "--merchant", merchant, "--count", "1"];
  const listening = runCli(words);
  let hasEnded = false;
  void listening.then(() => {
    hasEnded = true;
    return null;
  });
  // It forwards only events that occur while it runs, so payments are created until it has forwarded enough.
  while (!hasEnded) {
    await triggerEvent(merchant, "payment_intent.succeeded");
    await pause(200);
  }
  const { exitStatus, stdout, stderr } = await listening;
  const document = JSON.parse(stdout) as { secret: string; events: number };
  expect([exitStatus, stderr.includes(document.secret)]).toEqual([0, true]);
  expect(document).toMatchObject({ merchant_id: merchant, environment: "test", events: 1 });
  const [got, ...others] = receiver.received;
  expect(others).toEqual([]);
  expect(got?.path).toBe("/hooks");
  const headers = Object.fromEntries(got?.headers.entries() ?? []);
  expect(new Webhook(document.secret).verify(got?.body ?? "", headers)).toMatchObject({
    type: "payment_intent.succeeded",
    environment: "test",
  });
});

it("trigger prints what it created; events resend makes its deliveries due again", async () => {
  const context = operatorContext(merchant, "test");
  const command = { url: "https://93.184.215.14/hooks", description: "", eventTypes: null };
  await createWebhookEndpoint(context, command, withoutIdempotency());
  const made = documentOf(await runCli(["trigger", "payment_intent.failed", "--merchant", merchant])) as { id: string };
  const { rows } = await listEvents(context.scope, { intentId: made.id }, null, 1);
  const id = rows[0]?.id ?? "";
  await query("UPDATE delivery SET state = 'skipped', due_at = NULL, ended_at = now() WHERE event_id = $1", id);
  const words = ["events", "resend", "--id", id, "--merchant", merchant, "--environment", "test"];
  expect(documentOf(await runCli(words))).toMatchObject({ id, deliveries: [{ event_id: id, state: "pending" }] });
  const unknown = await runCli([...words.slice(0, 3), "evt_1", ...words.slice(4)]);
  expect(refusalOf(unknown)).toMatchObject({ exitStatus: 1, code: "not_found" });
});
