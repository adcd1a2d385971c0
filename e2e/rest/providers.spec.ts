// External providers: what they are sent, what they decline, and callbacks accepted only with a valid signature.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import { expect, test } from "../support/fixtures";
import { paymentBody, unused } from "./bodies";
import { type Bridge, openBridge } from "./bridge";
import {
  bodyOf,
  createPayment,
  createPayout,
  createTopup,
  methodCodes,
  read,
  refusalOf,
  untilStatus,
  walletOf,
} from "./calls";
import { attemptsOf, bookingsOf, eventsOf } from "./database";

type Payment = PaymentIntentResource;
type Payout = PayoutIntentResource;
type Topup = TopupIntentResource;

let bridge: Bridge;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  bridge = await openBridge({ config: { payment_methods: ["BR_PIX", "BR_BOLETO", "MX_SPEI"] } });
});

test.afterEach(() => bridge.psp.behave());

test.afterAll(() => bridge.close());

test("a live payment is sent to the provider once; the payer pays there; its callback credits the wallet", async () => {
  const before = await walletOf(bridge.live, "BRL");
  const intent = await createPayment(bridge.live, { payment_method: "BR_BOLETO", amount: "5000" });
  expect(intent).toMatchObject({ environment: "live", status: "requires_action" });
  const url = `${bridge.psp.url}/pay/${await bridge.referenceOf(intent.id)}`;
  expect(intent.next_action).toMatchObject({ type: "redirect_to_url", url });
  await fetch(url, { method: "POST", redirect: "manual" });
  await untilStatus<Payment>(bridge.live, intent.id, ["succeeded"]);
  expect(await walletOf(bridge.live, "BRL")).toEqual({ available: before.available + 5000n, held: before.held });
  expect(await eventsOf(bridge.world.database, intent.id)).toMatchObject([
    { type: "payment_intent.succeeded", environment: "live" },
  ]);
  expect(await bridge.executionsOf(intent.id)).toBe(1);
  expect(await attemptsOf(bridge.world.database, intent.id)).toBe(1);
});

for (const [payment_method, currency, type] of [
  ["BR_PIX", "BRL", "display_qr_code"],
  ["MX_SPEI", "MXN", "display_bank_transfer_instructions"],
] as const) {
  test(`the provider's instructions are shown as ${type}`, async () => {
    const country = payment_method.slice(0, 2);
    const intent = await createPayment(bridge.live, { payment_method, currency, country });
    expect(intent.next_action).toMatchObject({ type });
    if (intent.next_action?.type === "display_qr_code") expect(intent.next_action.data).toMatch(/^FAKE-QR-/);
  });
}

test("test keys go to the sandbox although a provider is configured", async () => {
  const intent = await createPayment(bridge.world.apiFor(bridge.merchant.keys.test), { amount: "1002" });
  expect(intent).toMatchObject({ environment: "test", status: "succeeded" });
  expect(await bridge.sendsOf(intent.id)).toBe(0);
});

test("what no provider offers is not offered, and is rejected", async () => {
  expect((await methodCodes(bridge.live)).sort()).toEqual(["BR_BOLETO", "BR_PIX", "MX_SPEI"]);
  const codi = paymentBody({ payment_method: "MX_CODI", currency: "MXN", country: "MX" });
  expect(refusalOf(await bridge.live.post("/payment_intents", codi), 400).message).toMatch(/^payment_method /);
});

test("one merchant_reference in test and in live are two orders", async () => {
  const merchant_reference = unused("both");
  const inLive = await createPayment(bridge.live, { merchant_reference });
  const inTest = await createPayment(bridge.world.apiFor(bridge.merchant.keys.test), { merchant_reference });
  expect(inLive.id).not.toBe(inTest.id);
  expect([inLive.environment, inTest.environment]).toEqual(["live", "test"]);
});

test.describe("a certain refusal", () => {
  test("a declined payment fails immediately, with our message, and the provider's code stays internal", async () => {
    await bridge.psp.misbehave({ mode: "decline", kind: "payments", operation: "create", times: 1 });
    const intent = await createPayment(bridge.live);
    expect(intent).toMatchObject({ status: "failed", failure_code: "provider_declined" });
    expect(JSON.stringify(intent)).not.toContain("fake_");
  });

  for (const [mode, failure_code] of [
    ["decline", "provider_declined"],
    ["invalid_recipient", "invalid_recipient"],
  ] as const) {
    test(`a payout refused with ${mode} fails as ${failure_code}, and its hold is released`, async () => {
      const before = await walletOf(bridge.live, "BRL");
      const { id } = await createPayout(bridge.live);
      await bridge.psp.misbehave({ mode, kind: "payouts", operation: "create", times: 1 });
      await bridge.approve(id);
      const failed = await untilStatus<Payout>(bridge.live, id, ["failed"]);
      expect(failed.failure_code).toBe(failure_code);
      expect(await bridge.executionsOf(id)).toBe(0);
      expect(await walletOf(bridge.live, "BRL")).toEqual(before);
      expect(await eventsOf(bridge.world.database, id)).toMatchObject([{ type: "payout_intent.failed", failure_code }]);
    });
  }
});

test.describe("callbacks", () => {
  test("a forged or stale one is rejected with 401 and moves nothing", async () => {
    const { id } = await createPayment(bridge.live);
    const paid = { status: "succeeded", amount: "1050", currency: "BRL" };
    expect(
      await bridge.psp.sendCallback({ reference: await bridge.referenceOf(id), changes: paid, forged: true }),
    ).toEqual([401]);
    expect(
      await bridge.psp.sendCallback({ reference: await bridge.referenceOf(id), changes: paid, clock_offset: -301 }),
    ).toEqual([401]);
    expect(
      await bridge.psp.sendCallback({ reference: await bridge.referenceOf(id), changes: paid, clock_offset: 360 }),
    ).toEqual([401]);
    const unsigned = await fetch(`${bridge.world.service.baseUrl}/providers/${bridge.psp.name}/callbacks`, {
      method: "POST",
      body: "{}",
    });
    expect(unsigned.status).toBe(401);
    const nobody = await fetch(`${bridge.world.service.baseUrl}/providers/nobody/callbacks`, {
      method: "POST",
      body: "{}",
    });
    expect(nobody.status).toBe(404);
    expect(await read(bridge.live, id)).toMatchObject({ status: "requires_action" });
  });

  test("duplicates are acknowledged and have one effect", async () => {
    const { id } = await createPayment(bridge.live);
    await bridge.psp.happen({ reference: await bridge.referenceOf(id), event: "executed", quiet: true });
    const deliveries = await bridge.psp.sendCallback({
      reference: await bridge.referenceOf(id),
      callback_id: unused("cb"),
      times: 20,
    });
    expect(deliveries).toEqual(Array.from({ length: 20 }, () => 200));
    const others = await Promise.all(
      Array.from({ length: 10 }, async () => bridge.psp.sendCallback({ reference: await bridge.referenceOf(id) })),
    );
    expect(others.flat()).toEqual(Array.from({ length: 10 }, () => 200));
    await untilStatus<Payment>(bridge.live, id, ["succeeded"]);
    await expect
      .poll(() => bridge.world.database.query("SELECT FROM provider_callback WHERE applied_at IS NULL"))
      .toEqual([]);
    expect(await eventsOf(bridge.world.database, id)).toHaveLength(1);
    expect(await bookingsOf(bridge.world.database, id)).toHaveLength(2);
  });

  test("one that contradicts the end changes nothing; late money goes to suspense", async () => {
    const { id } = await createPayment(bridge.live, { amount: "4400" });
    await bridge.psp.sendCallback({ reference: await bridge.referenceOf(id), changes: { status: "expired" } });
    const expired = await untilStatus<Payment>(bridge.live, id, ["expired"]);
    await bridge.psp.sendCallback({ reference: await bridge.referenceOf(id), changes: { status: "declined" } });
    await bridge.psp.happen({ reference: await bridge.referenceOf(id), event: "executed" });
    await expect
      .poll(() => bookingsOf(bridge.world.database, id))
      .toEqual(["late_money provider_clearing:fakepsp -4400 BRL", "late_money suspense 4400 BRL"]);
    expect(await read(bridge.live, id)).toEqual(expired);
    expect(await eventsOf(bridge.world.database, id)).toHaveLength(1);
  });

  test("an amount other than the payment's credits nothing and goes to suspense", async () => {
    const before = await walletOf(bridge.live, "BRL");
    const { id } = await createPayment(bridge.live, { amount: "4500" });
    await bridge.psp.sendCallback({
      reference: await bridge.referenceOf(id),
      changes: { status: "succeeded", amount: "4499", currency: "BRL", receipt_id: "receipt-1" },
    });
    await expect
      .poll(() => bookingsOf(bridge.world.database, id))
      .toEqual(["amount_mismatch provider_clearing:fakepsp -4499 BRL", "amount_mismatch suspense 4499 BRL"]);
    expect(await read(bridge.live, id)).toMatchObject({ status: "requires_action" });
    expect(await walletOf(bridge.live, "BRL")).toEqual(before);
  });

  test("a provider can report only on intents that were sent to it", async () => {
    const { id } = await createPayment(bridge.world.apiFor(bridge.merchant.keys.test));
    const changes = { merchant_id: bridge.merchant.id, status: "succeeded", amount: "1050", currency: "BRL" };
    expect(await bridge.psp.sendCallback({ reference: await bridge.referenceOf(id), changes })).toEqual([200]);
    await expect
      .poll(() =>
        bridge.world.database.query("SELECT FROM provider_callback WHERE applied_at IS NULL AND attempts < 2"),
      )
      .toEqual([]);
    expect(await read(bridge.world.apiFor(bridge.merchant.keys.test), id)).toMatchObject({ status: "requires_action" });
  });

  test("a callback that overtakes the answer to our own call wins, and nothing happens twice", async () => {
    await bridge.psp.misbehave({ mode: "delay", ms: 400, kind: "payments", operation: "create", times: 1 });
    const body = paymentBody({ amount: "4600" });
    const answer = bridge.live.post("/payment_intents", body);
    await expect.poll(async () => (await bridge.psp.record()).some(({ amount }) => amount === "4600")).toBe(true);
    const reference = (await bridge.psp.record()).find(({ amount }) => amount === "4600")?.reference ?? "";
    await bridge.psp.happen({ reference, event: "executed" });
    const { id } = bodyOf<Payment>(await answer, 201);
    await untilStatus<Payment>(bridge.live, id, ["succeeded"]);
    expect(await bookingsOf(bridge.world.database, id)).toHaveLength(2);
    expect(await eventsOf(bridge.world.database, id)).toHaveLength(1);
  });
});

test.describe("top-ups", () => {
  test("funds reported by callback are credited once they are confirmed", async () => {
    const before = await walletOf(bridge.live, "BRL");
    const topup = await createTopup(bridge.live);
    expect(topup).toMatchObject({
      environment: "live",
      source: { provider: bridge.psp.name },
      fx: { rate: "5.430000" },
    });
    expect(topup.next_action).toMatchObject({ network: "tron", amount: topup.source.amount });
    await bridge.psp.happen({ reference: await bridge.referenceOf(topup.id), event: "executed", confirmed: false });
    await untilStatus<Topup>(bridge.live, topup.id, ["processing"]);
    expect(await walletOf(bridge.live, "BRL")).toEqual(before);
    await bridge.psp.sendCallback({
      reference: await bridge.referenceOf(topup.id),
      changes: { status: "funds_seen", amount: topup.source.amount, currency: "USDT", confirmed: true },
    });
    const paid = await untilStatus<Topup>(bridge.live, topup.id, ["succeeded"]);
    expect(paid.destination.credited_amount).toBe(topup.destination.amount);
    expect((await walletOf(bridge.live, "BRL")).available).toBe(before.available + 10_000n);
  });

  test("a pair that the provider does not convert is rejected", async () => {
    const body = {
      destination: { amount: "100", currency: "MXN" },
      source: { type: "provider_gateway", currency: "USDT" },
    };
    const headers = { "idempotency-key": unused("key") };
    const answer = await bridge.live.post("/topup_intents", { ...body, country: "MX" }, { headers });
    expect(refusalOf(answer, 400).message).toMatch(/^source\.currency /);
  });
});

test("simulate finds no live object, with a live key or a test key", async () => {
  const { id } = await createPayment(bridge.live);
  for (const api of [bridge.live, bridge.world.apiFor(bridge.merchant.keys.test)]) {
    const answer = await api.post("/sandbox/simulate", { id, outcome: "succeeded" });
    expect(refusalOf(answer, 404).code).toBe("not_found");
  }
});
