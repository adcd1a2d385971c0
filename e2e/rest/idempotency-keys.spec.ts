// The idempotency key itself (interface §8): its form, what leaves it unused, and many requests under one key.
import { OVERLAPPING } from "../support/recorded-answers";
import { paymentBody, payoutBody, topupBody, unused } from "./bodies";
import { bodyOf, createPayout, refusalOf, walletOf } from "./calls";
import { attemptsOf } from "./database";
import { expect, test } from "./parties";

const withKey = (key: string) => ({ headers: { "idempotency-key": key } });
const keyed = () => withKey(unused("key"));

test.describe("the key's form", () => {
  const longest = unused("k").padEnd(255, "~");
  for (const [what, key] of [
    ["one character", unused("x").slice(-1)],
    ["255 characters", longest],
    ["quotes, commas and inner spaces", `"${unused("a")}", b; c=1`],
  ] as const) {
    test(`${what} are a valid key`, async ({ api }) => {
      const body = paymentBody();
      const first = await api.post("/payment_intents", body, withKey(key));
      expect(first.status, first.text).toBe(201);
      expect((await api.post("/payment_intents", body, withKey(key))).text).toBe(first.text);
    });
  }

  for (const [what, key] of [
    ["an empty key", ""],
    ["256 characters", `${longest}x`],
    ["a letter beyond ASCII", "cl\u00e9"],
    ["a tab inside", "a\tb"],
  ] as const) {
    test(`${what} is rejected and creates nothing`, async ({ api, database }) => {
      const body = paymentBody();
      const refusal = refusalOf(await api.post("/payment_intents", body, withKey(key)), 400);
      expect(refusal.code).toBe("validation_failed");
      expect(refusal.message).toMatch(/^Idempotency-Key /);
      const rows = await database.query(
        "SELECT FROM payment_intent WHERE merchant_reference = $1",
        body.merchant_reference,
      );
      expect(rows).toHaveLength(0);
    });
  }

  test("keys that differ only in case are two keys", async ({ api }) => {
    const key = unused("Key");
    bodyOf(await api.post("/payment_intents", paymentBody(), withKey(key)), 201);
    bodyOf(await api.post("/payment_intents", paymentBody(), withKey(key.toUpperCase())), 201);
  });
});

test.describe("not stored", () => {
  test("after a 400 the body may be corrected under the same key", async ({ api }) => {
    const options = keyed();
    const body = paymentBody();
    expect((await api.post("/payment_intents", { ...body, amount: "-1" }, options)).status).toBe(400);
    const created = await api.post("/payment_intents", body, options);
    expect(created.status).toBe(201);
    expect(created.headers.get("idempotent-replayed")).toBeNull();
  });

  test("after a 400 for an order that the provider does not offer, too", async ({ api }) => {
    const options = keyed();
    const body = topupBody();
    const wrong = { ...body, source: { ...body.source, network: "sneaker" } };
    expect((await api.post("/topup_intents", wrong, options)).status).toBe(400);
    expect((await api.post("/topup_intents", body, options)).status).toBe(201);
  });

  test("after a 404 the key is unused", async ({ api }) => {
    const options = keyed();
    const { id } = await createPayout(api);
    const absent = "/payout_intents/word_01h455vb4pex5vsknk084sn02q/cancel";
    expect((await api.post(absent, {}, options)).status).toBe(404);
    expect((await api.post(`/payout_intents/${id}/cancel`, {}, options)).status).toBe(202);
  });

  test("after a 401 the key is unused", async ({ api, withAuthorization }) => {
    const options = keyed();
    const body = paymentBody();
    expect((await withAuthorization("Basic eDp5").post("/payment_intents", body, options)).status).toBe(401);
    expect((await api.post("/payment_intents", body, options)).status).toBe(201);
  });
});

test.describe("concurrent", { tag: OVERLAPPING }, () => {
  test("64 requests at once under one key have one effect; the rest wait or replay", async ({ api, database }) => {
    // Amounts that end in 04 get no answer from the provider until the deadline: the original is in flight for seconds.
    for (const amount of ["1050", "1004"]) {
      const body = paymentBody({ amount });
      const options = keyed();
      const answers = await Promise.all(Array.from({ length: 64 }, () => api.post("/payment_intents", body, options)));
      const created = answers.filter(({ status }) => status === 201);
      expect(new Set(created.map(({ text }) => text)).size).toBe(1);
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expect(refusalOf(answer, 409).code).toBe("idempotency_conflict");
        expect(answer.headers.get("retry-after")).toBe("1");
      }
      expect(created.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
      const late = await api.post("/payment_intents", body, options);
      expect([late.status, late.text]).toEqual([201, created[0]?.text]);
      const rows = await database.query<{ id: string }>(
        "SELECT id FROM payment_intent WHERE merchant_reference = $1",
        body.merchant_reference,
      );
      expect(rows).toHaveLength(1);
      expect(await attemptsOf(database, rows[0]?.id ?? "")).toBe(1);
    }
  });

  test("64 payouts at once under one key hold the amount once", async ({ api }) => {
    const before = await walletOf(api, "BRL");
    const body = payoutBody({ amount: "100" });
    const options = keyed();
    const answers = await Promise.all(Array.from({ length: 64 }, () => api.post("/payout_intents", body, options)));
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
    expect(await walletOf(api, "BRL")).toEqual({ available: before.available - 100n, held: before.held + 100n });
  });

  test("64 top-ups without a reference under one key create one", async ({ api, ownMerchant, database }) => {
    const { merchant_reference: _, ...body } = topupBody({ destination: { amount: "640064", currency: "BRL" } });
    const options = keyed();
    const answers = await Promise.all(Array.from({ length: 64 }, () => api.post("/topup_intents", body, options)));
    for (const { status } of answers) expect([201, 409]).toContain(status);
    const rows = await database.query(
      "SELECT FROM topup_intent WHERE merchant_id = $1 AND destination_amount = 640064",
      ownMerchant.id,
    );
    expect(rows).toHaveLength(1);
  });
});
