// How payment intents end (interface §3, §6), driven by the sandbox's amounts.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { paymentBody } from "./bodies";
import { bodyOf, createPayment, createPayout, read, simulate, untilStatus, walletOf } from "./calls";
import { bookingsOf, type Database, eventsOf } from "./database";
import { expect, test } from "./parties";

type Payment = PaymentIntentResource;

/** Moves the customer's time limit into the past; the worker does the rest. */
async function letTimeRunOut(database: Database, id: string): Promise<void> {
  await database.query(
    "UPDATE payment_intent SET expires_at = now() - interval '1 second', due_at = now() WHERE id = $1 AND due_at IS NOT NULL",
    id,
  );
}

test("01: declined immediately; the intent and its one event show the failure", async ({ api, database }) => {
  const intent = await createPayment(api, { amount: "1001" });
  expect(intent).toMatchObject({ status: "failed", failure_code: "provider_declined", next_action: null });
  expect(await eventsOf(database, intent.id)).toEqual([
    {
      type: "payment_intent.failed",
      environment: "test",
      status: "failed",
      failure_code: "provider_declined",
      failure_message: intent.failure_message,
    },
  ]);
  expect(await bookingsOf(database, intent.id)).toEqual([]);
});

test("02: succeeds immediately; the wallet is credited the amount, once", async ({ api, database }) => {
  const before = await walletOf(api, "BRL");
  const intent = await createPayment(api, { amount: "1002" });
  expect(intent).toMatchObject({ status: "succeeded", failure_code: null, failure_message: null, next_action: null });
  expect(await walletOf(api, "BRL")).toEqual({ available: before.available + 1002n, held: before.held });
  expect(await eventsOf(database, intent.id)).toEqual([
    {
      type: "payment_intent.succeeded",
      environment: "test",
      status: "succeeded",
      failure_code: null,
      failure_message: null,
    },
  ]);
  expect(await bookingsOf(database, intent.id)).toEqual([
    "payment_credit provider_clearing:sandbox -1002 BRL",
    "payment_credit available 1002 BRL",
  ]);
});

test("03: a provider that answers after 5 s: processing first, requires_action on a later read", async ({ api }) => {
  const intent = await createPayment(api, { amount: "1003" });
  expect(intent).toMatchObject({ status: "processing", next_action: null });
  const later = await untilStatus<Payment>(api, intent.id, ["requires_action"], 60_000);
  expect(later.next_action?.type).toBe("display_qr_code");
  expect(later.created_at).toBe(intent.created_at);
});

test("04: a provider that never answers is polled, and nothing is assumed", async ({ api, database }) => {
  const intent = await createPayment(api, { amount: "1004" });
  expect(intent).toMatchObject({ status: "processing", next_action: null });
  await untilStatus<Payment>(api, intent.id, ["requires_action"], 60_000);
  const attempts = await database.query("SELECT state FROM provider_attempt WHERE intent_id = $1", intent.id);
  expect(attempts, "it was sent once").toHaveLength(1);
});

test("05: expires immediately", async ({ api, database }) => {
  const intent = await createPayment(api, { amount: "1005" });
  expect(intent).toMatchObject({ status: "expired", failure_code: "expired", next_action: null });
  expect(await eventsOf(database, intent.id)).toMatchObject([
    { type: "payment_intent.expired", failure_code: "expired" },
  ]);
});

test("06: duplicate and out-of-order reports lead to one end, one event, one credit", async ({ api, database }) => {
  const { id } = await createPayment(api, { amount: "1006" });
  const paid = await simulate<Payment>(api, id, "succeeded");
  expect(paid.status).toBe("succeeded");
  expect(await eventsOf(database, id)).toHaveLength(1);
  expect(await bookingsOf(database, id)).toHaveLength(2);
  expect(await read(api, id)).toEqual(paid);
});

test("07: late money goes to suspense; the status stays expired", async ({ api, database }) => {
  const before = await walletOf(api, "BRL");
  const { id } = await createPayment(api, { amount: "1007" });
  await letTimeRunOut(database, id);
  const expired = await untilStatus<Payment>(api, id, ["expired"]);
  await expect
    .poll(() => bookingsOf(database, id))
    .toEqual(["late_money provider_clearing:sandbox -1007 BRL", "late_money suspense 1007 BRL"]);
  expect(await read(api, id)).toEqual(expired);
  expect(await walletOf(api, "BRL")).toEqual(before);
  expect(await eventsOf(database, id)).toMatchObject([{ type: "payment_intent.expired" }]);
});

test("an unpaid payment expires at its customer's time limit, after the provider was polled", async ({
  api,
  database,
}) => {
  const { id } = await createPayment(api);
  await letTimeRunOut(database, id);
  const expired = await untilStatus<Payment>(api, id, ["expired"]);
  expect(expired).toMatchObject({ failure_code: "expired", next_action: null });
  expect(await eventsOf(database, id)).toMatchObject([{ type: "payment_intent.expired", failure_code: "expired" }]);
});

test("credited money can be paid out immediately", async ({ api }) => {
  const { available } = await walletOf(api, "BRL");
  await createPayment(api, { amount: "50002" });
  const payout = await createPayout(api, { amount: (available + 50_002n).toString() });
  expect(payout.status).toBe("requires_approval");
  expect((await walletOf(api, "BRL")).available).toBe(0n);
});

test("a merchant with hosted checkout always gets a redirect to our page; a repeat returns the original", async ({
  api,
  ownMerchant,
  command,
  service,
}) => {
  const body = paymentBody();
  const direct = bodyOf<Payment>(await api.post("/payment_intents", body), 201);
  expect(direct.next_action?.type).toBe("display_qr_code");
  await command("merchants", "set-checkout", "--merchant", ownMerchant.id, "--mode", "hosted");
  // The setting takes effect within a second.
  await expect.poll(async () => (await createPayment(api)).next_action?.type).toBe("redirect_to_url");
  for (const changes of [{}, { payment_method: "MX_SPEI", currency: "MXN", country: "MX" }]) {
    const { id, next_action } = await createPayment(api, changes);
    expect(next_action).toMatchObject({ type: "redirect_to_url", url: `${service.baseUrl}/pay/${id}` });
  }
  expect(bodyOf(await api.post("/payment_intents", body), 200)).toEqual(direct);
});
