// Many changes at once: one winner per intent, no lost or invented money, no 5xx.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import type { Answer } from "../support/api";
import { paymentBody, payoutBody, topupBody, unused } from "./bodies";
import { createPayment, createPayout, createTopup, read, statusesOf, walletOf } from "./calls";
import { bookingsOf, eventsOf } from "./database";
import { expect, test } from "./parties";

test("20 successes at once credit a payment once", async ({ api, database }) => {
  const before = await walletOf(api, "BRL");
  const { id } = await createPayment(api, { amount: "1700" });
  const simulate = () => api.post("/sandbox/simulate", { id, outcome: "succeeded" });
  const answers = await Promise.all(Array.from({ length: 20 }, simulate));
  for (const status of statusesOf(answers)) expect([200, 400]).toContain(status);
  expect(await read(api, id)).toMatchObject({ status: "succeeded" });
  expect(await bookingsOf(database, id)).toHaveLength(2);
  expect(await eventsOf(database, id)).toHaveLength(1);
  expect((await walletOf(api, "BRL")).available).toBe(before.available + 1700n);
});

test("contradicting reports at once lead to one end and one event; money of the loser goes to suspense", async ({
  api,
  database,
}) => {
  for (let round = 0; round < 8; round += 1) {
    const { id } = await createPayment(api, { amount: "1800" });
    const outcomes = ["succeeded", "declined", "expired", "cancelled", "pending", "succeeded", "declined", "expired"];
    await Promise.all(outcomes.map((outcome) => api.post("/sandbox/simulate", { id, outcome })));
    const { status } = await read<PaymentIntentResource>(api, id);
    expect(["succeeded", "failed", "expired"]).toContain(status);
    expect(await eventsOf(database, id)).toMatchObject([{ type: `payment_intent.${status}`, status }]);
    const [reason] = (await bookingsOf(database, id)).map((line) => line.split(" ")[0]);
    expect(reason).toBe(status === "succeeded" ? "payment_credit" : "late_money");
    expect(await bookingsOf(database, id)).toHaveLength(2);
  }
});

test("20 reports of the same funds at once credit a top-up once", async ({ api, database }) => {
  const { id } = await createTopup(api);
  const outcomes = Array.from({ length: 20 }, (_, n) => (n % 3 === 0 ? "funds_seen" : "succeeded"));
  await Promise.all(outcomes.map((outcome) => api.post("/sandbox/simulate", { id, outcome })));
  const topup = await read<TopupIntentResource>(api, id);
  expect(topup).toMatchObject({ status: "succeeded", destination: { credited_amount: topup.destination.amount } });
  expect((await bookingsOf(database, id)).filter((line) => line.includes(" available "))).toHaveLength(1);
});

test("400 mixed writes at once on one wallet: no 5xx, and the ledger balances to the unit", async ({
  api,
  ownMerchant,
  database,
}) => {
  const opening = await walletOf(api, "BRL");
  const victims = await Promise.all(Array.from({ length: 50 }, () => createPayout(api, { amount: "100" })));
  const payers = await Promise.all(Array.from({ length: 50 }, () => createPayment(api, { amount: "300" })));
  const keyed = () => ({ headers: { "idempotency-key": unused("storm") } });
  const writes: (() => Promise<Answer>)[] = [
    ...victims.map(
      ({ id }) =>
        () =>
          api.post(`/payout_intents/${id}/cancel`, {}, keyed()),
    ),
    ...payers.map(
      ({ id }) =>
        () =>
          api.post("/sandbox/simulate", { id, outcome: "succeeded" }),
    ),
    ...Array.from({ length: 100 }, () => () => api.post("/payout_intents", payoutBody({ amount: "200" }), keyed())),
    ...Array.from({ length: 100 }, () => () => api.post("/payment_intents", paymentBody({ amount: "402" }))),
    ...Array.from({ length: 100 }, () => () => {
      const destination = { amount: "502", currency: "BRL" };
      return api.post("/topup_intents", topupBody({ destination }), keyed());
    }),
  ];
  const mixed = writes.map((one, n) => ({ one, order: (n * 7919) % writes.length })).sort((a, b) => a.order - b.order);
  const answers = await Promise.all(mixed.map(({ one }) => one()));
  for (const { status, text } of answers) expect([200, 201, 202], text).toContain(status);

  const expected = opening.available + 50n * 300n - 100n * 200n + 100n * 402n + 100n * 502n;
  expect(await walletOf(api, "BRL")).toEqual({ available: expected, held: 100n * 200n });
  const wrong = await database.query(
    `SELECT a.kind FROM ledger_account a JOIN ledger_entry e USING (merchant_id, environment, currency, kind)
     WHERE a.merchant_id = $1 GROUP BY a.kind, a.currency, a.environment, a.balance, a.last_sequence
     HAVING a.balance <> sum(e.amount) OR a.last_sequence <> count(*) OR a.last_sequence <> max(e.sequence)`,
    ownMerchant.id,
  );
  expect(wrong).toEqual([]);
  const overdrawn = await database.query(
    `SELECT FROM (SELECT sum(amount) OVER (PARTITION BY environment, currency, kind ORDER BY sequence) AS running, kind
                  FROM ledger_entry WHERE merchant_id = $1) history
     WHERE running < 0 AND kind IN ('available', 'held')`,
    ownMerchant.id,
  );
  expect(overdrawn).toEqual([]);
});
