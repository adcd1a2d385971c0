// Idempotency-Key (interface §8): one effect per (API key, key), then the same bytes again.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { Answer } from "../support/api";
import { createKey } from "../support/merchant";
import { OVERLAPPING } from "../support/recorded-answers";
import { paymentBody, payoutBody, topupBody, unused } from "./bodies";
import {
  bodyOf,
  createPayment,
  createPayout,
  read,
  refusalOf,
  sendText,
  simulate,
  statusesOf,
  walletOf,
} from "./calls";
import { attemptsOf, eventsOf } from "./database";
import { expect, test } from "./parties";

const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const keyed = () => withKey(unused("key"));

/** Removes headers that are new in each request, or name it: only those may differ in a replay. */
function lastingHeaders({ headers }: Answer): Record<string, string> {
  const passing = ["date", "request-id", "idempotent-replayed", "connection", "keep-alive"];
  return Object.fromEntries([...headers].filter(([name]) => !passing.includes(name)));
}

test.describe("replay", () => {
  test("a repeat gets the first answer byte for byte, marked, on every creating operation", async ({
    api,
    database,
  }) => {
    for (const [path, body] of [
      ["/payment_intents", paymentBody()],
      ["/payout_intents", payoutBody()],
      ["/topup_intents", topupBody()],
    ] as const) {
      const options = keyed();
      const first = await api.post(path, body, options);
      expect(first.status, first.text).toBe(201);
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      const again = await api.post(path, body, options);
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(lastingHeaders(again)).toEqual(lastingHeaders(first));
      const { id } = first.body as { id: string };
      expect(await attemptsOf(database, id)).toBe(path === "/payout_intents" ? 0 : 1);
    }
  });

  test("the replay is the original answer, not the current object", async ({ api }) => {
    const options = keyed();
    const body = paymentBody();
    const first = await api.post("/payment_intents", body, options);
    const { id } = bodyOf<PaymentIntentResource>(first, 201);
    await simulate(api, id, "succeeded");
    expect((await api.post("/payment_intents", body, options)).text).toBe(first.text);
    expect(await read(api, id)).toMatchObject({ status: "succeeded" });
  });

  test("the order and spacing of the members do not change the request", async ({ api }) => {
    const options = keyed();
    const body = payoutBody();
    const first = await api.post("/payout_intents", body, options);
    const reversed = Object.fromEntries(Object.entries(body).reverse());
    const again = await sendText(api, "/payout_intents", JSON.stringify(reversed, null, 4), options);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test("a cancel is replayed as the original 202, with one event", async ({ api, database }) => {
    const { id } = await createPayout(api);
    const options = keyed();
    const first = await api.post(`/payout_intents/${id}/cancel`, { reason: "twice" }, options);
    const again = await api.post(`/payout_intents/${id}/cancel`, { reason: "twice" }, options);
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await eventsOf(database, id)).toHaveLength(1);
  });

  test("a 409 or 422 is stored under its key, and is replayed after its cause is gone", async ({ api }) => {
    const body = payoutBody({ amount: "100000001" });
    const options = keyed();
    const refused = await api.post("/payout_intents", body, options);
    expect(refusalOf(refused, 422).code).toBe("insufficient_balance");
    const paid = await createPayment(api, { amount: "5000" });
    await simulate(api, paid.id, "succeeded");
    const again = await api.post("/payout_intents", body, options);
    expect([again.status, again.text]).toEqual([422, refused.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    bodyOf(await api.post("/payout_intents", body, keyed()), 201);

    const original = await createPayment(api);
    const reuse = paymentBody({ merchant_reference: original.merchant_reference, amount: "7777" });
    const conflict = keyed();
    const first = await api.post("/payment_intents", reuse, conflict);
    expect(refusalOf(first, 409).code).toBe("duplicate_merchant_reference");
    const second = await api.post("/payment_intents", reuse, conflict);
    expect([second.status, second.text]).toEqual([409, first.text]);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });

  test("a rejection at the gate is replayed too", async ({ api }) => {
    const { id } = await createPayout(api);
    await api.post(`/payout_intents/${id}/cancel`, {});
    const options = keyed();
    const first = await api.post(`/payout_intents/${id}/cancel`, {}, options);
    expect(refusalOf(first, 422).code).toBe("approval_required");
    const again = await api.post(`/payout_intents/${id}/cancel`, {}, options);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([422, first.text, "true"]);
  });

  test("a repeated merchant_reference under a new key is stored as its 200", async ({ api }) => {
    const body = paymentBody();
    bodyOf(await api.post("/payment_intents", body, keyed()), 201);
    const options = keyed();
    const first = await api.post("/payment_intents", body, options);
    const again = await api.post("/payment_intents", body, options);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

test.describe("conflict", () => {
  test("another body, another path or another object under a used key is 409, and has no effect", async ({ api }) => {
    const options = keyed();
    bodyOf(await api.post("/payout_intents", payoutBody(), options), 201);
    const before = await walletOf(api, "BRL");
    for (const [path, body] of [
      ["/payout_intents", payoutBody()],
      ["/payment_intents", paymentBody()],
      ["/topup_intents", topupBody()],
    ] as const) {
      const answer = await api.post(path, body, options);
      expect(refusalOf(answer, 409).code).toBe("idempotency_conflict");
      expect(answer.headers.get("retry-after"), "only a running original is worth retrying").toBeNull();
    }
    expect(await walletOf(api, "BRL")).toEqual(before);
  });

  test("cancelling A and then B under one key never answers for B with A", async ({ api }) => {
    const [a, b] = [await createPayout(api), await createPayout(api)];
    const options = keyed();
    bodyOf(await api.post(`/payout_intents/${a.id}/cancel`, {}, options), 202);
    expect(refusalOf(await api.post(`/payout_intents/${b.id}/cancel`, {}, options), 409).code).toBe(
      "idempotency_conflict",
    );
    expect(await read(api, b.id)).toEqual(b);
  });

  test("cancelling A and B at once under one key cancels exactly one of them", { tag: OVERLAPPING }, async ({
    api,
  }) => {
    const payouts = [await createPayout(api), await createPayout(api)];
    const options = keyed();
    const answers = await Promise.all(payouts.map(({ id }) => api.post(`/payout_intents/${id}/cancel`, {}, options)));
    expect(statusesOf(answers)).toEqual([202, 409]);
    const statuses = await Promise.all(payouts.map(async ({ id }) => (await read(api, id)).status));
    expect(statuses.sort()).toEqual(["cancelled", "requires_approval"]);
  });
});

test.describe("scope", () => {
  test("the same key under another API key, environment or merchant is another key", async ({
    api,
    ownMerchant,
    strangerApi,
    service,
    apiFor,
  }) => {
    const sibling = apiFor(await createKey(service, ownMerchant.id, "test"));
    const options = keyed();
    const answers = await Promise.all(
      [api, sibling, strangerApi].map((client) => client.post("/payment_intents", paymentBody(), options)),
    );
    const ids = answers.map((answer) => bodyOf<PaymentIntentResource>(answer, 201).id);
    expect(new Set(ids).size).toBe(3);
  });
});

test.describe("lifetime", () => {
  test("24 hours after its first request a key is new again; the reference still prevents a second order", async ({
    api,
    database,
  }) => {
    const key = unused("old");
    const body = paymentBody();
    const first = bodyOf<PaymentIntentResource>(await api.post("/payment_intents", body, withKey(key)), 201);
    const age = (by: string) =>
      database.query("UPDATE idempotency_key SET created_at = now() - $2::interval WHERE key = $1", key, by);
    await age("23 hours 59 minutes");
    const held = await api.post("/payment_intents", body, withKey(key));
    expect([held.status, held.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    await age("24 hours 1 second");
    const repeat = await api.post("/payment_intents", body, withKey(key));
    expect(bodyOf<PaymentIntentResource>(repeat, 200).id).toBe(first.id);
    expect(repeat.headers.get("idempotent-replayed")).toBeNull();
    await age("24 hours 1 second");
    const other = await api.post("/payment_intents", paymentBody(), withKey(key));
    expect(bodyOf<PaymentIntentResource>(other, 201).id).not.toBe(first.id);
  });
});
