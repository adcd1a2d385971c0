// Provider calls with an unknown outcome: polled, never assumed, never executed twice.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { expect, test } from "../support/fixtures";
import { type Bridge, openBridge } from "./bridge";
import { createPayment, createPayout, read, untilStatus, walletOf } from "./calls";
import { eventsOf } from "./database";

type Payment = PaymentIntentResource;
type Payout = PayoutIntentResource;

let bridge: Bridge;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  bridge = await openBridge({ env: { PROVIDER_DEADLINE_MS: "600" } });
});

test.afterEach(() => bridge.psp.behave());

test.afterAll(() => bridge.close());

test.describe("an unknown outcome", () => {
  for (const mode of ["execute_then_drop", "execute_then_hang", "garbage", "drop", "server_error"] as const) {
    test(`payment, ${mode}: processing first, then what the provider reports when polled`, async () => {
      await bridge.psp.misbehave({ mode, kind: "payments", operation: "create", times: 1 });
      const intent = await createPayment(bridge.live);
      expect(intent).toMatchObject({ status: "processing", next_action: null });
      const later = await untilStatus<Payment>(bridge.live, intent.id, ["requires_action"], 60_000);
      expect(later.next_action).not.toBeNull();
      await bridge.psp.happen({ reference: await bridge.referenceOf(intent.id), event: "executed" });
      await untilStatus<Payment>(bridge.live, intent.id, ["succeeded"]);
      expect(await bridge.executionsOf(intent.id)).toBe(1);
    });

    test(`payout, ${mode}: held until the provider reports its outcome; executed exactly once`, async () => {
      const before = await walletOf(bridge.live, "BRL");
      const { id } = await createPayout(bridge.live, { amount: "1200" });
      await bridge.psp.misbehave({ mode, kind: "payouts", operation: "create", times: 1 });
      await bridge.approve(id);
      await untilStatus<Payout>(bridge.live, id, ["succeeded"], 60_000);
      expect(await bridge.executionsOf(id)).toBe(1);
      expect(await walletOf(bridge.live, "BRL")).toEqual({ available: before.available - 1200n, held: before.held });
      expect(await eventsOf(bridge.world.database, id)).toMatchObject([{ type: "payout_intent.succeeded" }]);
      const wasExecuted = mode !== "drop" && mode !== "server_error";
      expect(
        await bridge.sendsOf(id),
        "only a provider that is certain never to have accepted it is sent it again",
      ).toBe(wasExecuted ? 1 : 2);
    });
  }

  test("a payout stays held while the provider cannot be polled either", async () => {
    const { id } = await createPayout(bridge.live, { amount: "1300" });
    const reference = await bridge.referenceOf(id);
    await bridge.psp.misbehave({ mode: "execute_then_drop", kind: "payouts", operation: "create", reference });
    await bridge.psp.misbehave({ mode: "server_error", kind: "payouts", operation: "query", reference });
    await bridge.approve(id);
    await expect.poll(() => bridge.executionsOf(id)).toBe(1);
    await expect
      .poll(async () => (await bridge.psp.calls()).filter(({ path }) => path.endsWith(reference)).length, {
        timeout: 60_000,
      })
      .toBeGreaterThan(1);
    expect(await read(bridge.live, id)).toMatchObject({ status: "processing", failure_code: null });
    await bridge.psp.behave();
    await untilStatus<Payout>(bridge.live, id, ["succeeded"], 60_000);
    expect(await bridge.executionsOf(id)).toBe(1);
    expect(await bridge.sendsOf(id), "no answer to a question is no reason to send again").toBe(1);
  });
});

test("the provider's own record equals our ledger, to the unit", async () => {
  const { id } = await createPayout(bridge.live, { amount: "1400" });
  await bridge.approve(id);
  await expect.poll(async () => (await walletOf(bridge.live, "BRL")).held, { timeout: 60_000 }).toBe(0n);
  const record = await bridge.psp.record({ event: "executed", kind: "payouts" });
  expect(new Set(record.map(({ reference }) => reference)).size, "no payout was executed twice").toBe(record.length);
  const [booked] = await bridge.world.database.query<{ sum: string }>(
    `SELECT sum(e.amount)::text AS sum FROM ledger_transaction t
     JOIN ledger_entry e ON (e.merchant_id, e.transaction_id) = (t.merchant_id, t.id)
     WHERE t.reason = 'payout_settlement' AND t.environment = 'live' AND starts_with(e.kind, 'provider_clearing')`,
  );
  expect(booked?.sum).toBe(record.reduce((sum, { amount }) => sum + BigInt(amount), 0n).toString());
});
