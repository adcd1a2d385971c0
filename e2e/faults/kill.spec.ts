// A service killed at any moment leaves complete effects or none, and a retry finds the one effect.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { paymentBody, payoutBody, topupBody } from "../rest/bodies";
import { type Bridge, openBridge } from "../rest/bridge";
import { createPayout, read, untilStatus } from "../rest/calls";
import { attemptsOf, bookingsOf, eventsOf } from "../rest/database";
import { expect, test } from "../support/fixtures";
import { tier } from "../support/tier";
import { expectBooksBalance, expectOneEffect, killAndStartAgain, send, settle, type Write, write } from "./survival";

/** Milliseconds from a round's writes to the kill. A representative run takes a spread sample. */
const MOMENTS = { representative: [0, 15, 60, 160], deep: [0, 4, 9, 15, 25, 40, 60, 80, 110, 160] }[tier];

let bridge: Bridge;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  bridge = await openBridge({ env: { PROVIDER_DEADLINE_MS: "8000", IDEMPOTENCY_LEASE_SECONDS: "1" } });
});

test.afterAll(() => bridge.close());

for (const mode of ["execute_then_hang", "hang"] as const) {
  test(`killed inside the provider's call (${mode}): the retry returns the same object, and it was sent once`, async () => {
    test.slow();
    await bridge.psp.misbehave({ mode, operation: "create" });
    const payment = write("/payment_intents", paymentBody());
    const topup = write("/topup_intents", topupBody());
    const before = await bridge.sends();
    const cutOff = [payment, topup].map((one) => send(bridge, one).catch((error: unknown) => error));
    await expect.poll(bridge.sends, { intervals: [20] }).toBe(before + 2);
    await killAndStartAgain(bridge);
    for (const result of await Promise.all(cutOff)) expect(result).toBeInstanceOf(Error);
    await bridge.psp.behave();

    const paymentId = await expectOneEffect(bridge, payment, "payment_intent");
    const topupId = await expectOneEffect(bridge, topup, "topup_intent");
    const later = await untilStatus<PaymentIntentResource>(bridge.live, paymentId, ["requires_action"], 60_000);
    expect(later.next_action).not.toBeNull();
    await expect
      .poll(async () => (await read(bridge.live, topupId)) as { next_action?: unknown }, { timeout: 60_000 })
      .toMatchObject({
        next_action: { type: "display_crypto_payment_instructions" },
      });
    for (const id of [paymentId, topupId]) expect(await bridge.acceptancesOf(id)).toBe(1);
  });
}

test("a retry during the killed original's lease is rejected, then gets its object", async () => {
  test.slow();
  await bridge.psp.misbehave({ mode: "execute_then_hang", operation: "create" });
  const payment = write("/payment_intents", paymentBody());
  const before = await bridge.sends();
  const cutOff = send(bridge, payment).catch((error: unknown) => error);
  await expect.poll(bridge.sends, { intervals: [20] }).toBe(before + 1);
  await bridge.world.service.kill9("group");
  await cutOff;
  await bridge.world.service.restart();
  await bridge.world.reconnect();
  await bridge.psp.behave();
  await bridge.world.database.query(
    "UPDATE idempotency_key SET lease_until = now() + interval '6 seconds' WHERE key = $1",
    payment.options.headers["idempotency-key"],
  );
  const early = await send(bridge, payment);
  expect(early.status).toBe(409);
  expect(early.headers.get("retry-after")).toBe("1");
  await expectOneEffect(bridge, payment, "payment_intent");
});

test(`killed at ${MOMENTS.length} moments under mixed writes: each retry finds one effect, and the ledger balances`, async () => {
  test.setTimeout(300_000);
  await bridge.psp.misbehave({ mode: "delay", ms: 60, operation: "create" });
  let cutOff = 0;
  for (const [round, moment] of MOMENTS.entries()) {
    const victim = await createPayout(bridge.live, { amount: "500" });
    const writes = [
      write("/payment_intents", paymentBody()),
      write("/topup_intents", topupBody()),
      write("/payout_intents", payoutBody({ amount: "100" })),
      write(`/payout_intents/${victim.id}/cancel`, { reason: `round ${round}` }),
    ];
    const answers = writes.map((one) => send(bridge, one).catch(() => null));
    await new Promise((resolve) => setTimeout(resolve, moment));
    await killAndStartAgain(bridge);
    cutOff += (await Promise.all(answers)).filter((answer) => answer === null).length;

    const [payment, topup, payout, cancel] = writes as [Write, Write, Write, Write];
    const ids = await Promise.all([
      expectOneEffect(bridge, payment, "payment_intent"),
      expectOneEffect(bridge, topup, "topup_intent"),
      expectOneEffect(bridge, payout, "payout_intent"),
    ]);
    for (const id of ids) expect(await attemptsOf(bridge.world.database, id)).toBeLessThanOrEqual(2);
    for (const id of ids) expect(await bridge.acceptancesOf(id)).toBeLessThanOrEqual(1);
    expect(await bookingsOf(bridge.world.database, ids[2])).toEqual([
      "payout_hold available -100 BRL",
      "payout_hold held 100 BRL",
    ]);
    const cancelled = await settle(bridge, cancel);
    expect(cancelled.status, cancelled.text).toBe(202);
    expect(await eventsOf(bridge.world.database, victim.id)).toMatchObject([{ failure_message: `round ${round}` }]);
    expect(await bookingsOf(bridge.world.database, victim.id)).toHaveLength(4);
  }
  expect(cutOff, "some requests were really cut off").toBeGreaterThan(MOMENTS.length / 2);
  await bridge.psp.behave();
  await expectBooksBalance(bridge);
  const pending = "SELECT FROM payment_intent WHERE status = 'processing' AND environment = 'live'";
  await expect.poll(() => bridge.world.database.query(pending), { timeout: 60_000 }).toEqual([]);
});
