// POST /topup_intents (interface §4.7), by status code.
import type { TopupIntentResource } from "@/server/contract/topup-intents";
import { OVERLAPPING } from "../support/recorded-answers";
import { topupBody, unused } from "./bodies";
import { bodyOf, createTopup, read, refusalOf, simulate, statusesOf } from "./calls";
import { attemptsOf } from "./database";
import { expect, test } from "./parties";

const PATH = "/topup_intents";
const keyed = () => ({ headers: { "idempotency-key": unused("key") } });

test.describe("201", () => {
  test("a valid body creates an intent that shows every documented field and what to pay where", async ({
    api,
    ownMerchant,
  }) => {
    const body = topupBody();
    const intent = bodyOf<TopupIntentResource>(await api.post(PATH, body, keyed()), 201);
    expect(intent).toMatchObject({
      object: "topup_intent",
      status: "requires_payment",
      environment: "test",
      merchant_reference: body.merchant_reference,
      failure_code: null,
      failure_message: null,
      destination: { ...body.destination, credited_amount: "0", merchant_id: ownMerchant.id },
      fx: { source_currency: "USDT", destination_currency: "BRL" },
      source: { type: "provider_gateway", currency: "USDT", fee_mode: "absorbed", expires_at: intent.expires_at },
      next_action: {
        type: "display_crypto_payment_instructions",
        amount: intent.source.amount,
        currency: "USDT",
        network: "tron",
      },
    });
    expect(intent.id).toMatch(/^tuin_[0-9a-z]{26}$/);
    expect(Date.parse(intent.expires_at) - Date.parse(intent.created_at)).toBe(15 * 60_000);
    expect(await read(api, intent.id)).toEqual(intent);
  });

  test("without a reference each key creates a separate top-up", async ({ api }) => {
    const { merchant_reference: _, ...body } = topupBody();
    const [first, second] = await Promise.all([api.post(PATH, body, keyed()), api.post(PATH, body, keyed())]);
    const ids = [first, second].map((answer) => bodyOf<TopupIntentResource>(answer, 201));
    expect(ids[0]?.id).not.toBe(ids[1]?.id);
    expect(ids[0]?.merchant_reference).toBeNull();
  });

  test("the provider and the network are chosen if the body does not choose", async ({ api }) => {
    const { source } = await createTopup(api, { source: { type: "provider_gateway", currency: "USDT" } });
    expect(source.provider).not.toBe("");
  });
});

test.describe("200", () => {
  test("a repeated reference under another key returns the original, in its current state", async ({
    api,
    database,
  }) => {
    const body = topupBody();
    const { id } = bodyOf<TopupIntentResource>(await api.post(PATH, body, keyed()), 201);
    const paid = await simulate<TopupIntentResource>(api, id, "succeeded");
    expect(paid.status).toBe("succeeded");
    expect(bodyOf(await api.post(PATH, body, keyed()), 200)).toEqual(paid);
    expect(await attemptsOf(database, id)).toBe(1);
  });

  test("50 equal creations at once leave one row, one provider call, and 50 equal ids", {
    tag: OVERLAPPING,
  }, async ({ api, database }) => {
    const body = topupBody();
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.post(PATH, body, keyed())));
    const ids = new Set(answers.map((answer) => (answer.body as TopupIntentResource).id));
    expect(ids.size).toBe(1);
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 49 }, () => 200), 201]);
    const rows = await database.query(
      "SELECT FROM topup_intent WHERE merchant_reference = $1",
      body.merchant_reference,
    );
    expect(rows).toHaveLength(1);
    expect(await attemptsOf(database, [...ids][0] ?? "")).toBe(1);
  });
});

test.describe("400", () => {
  test("without an Idempotency-Key nothing is created", async ({ api, database }) => {
    const body = topupBody();
    const refusal = refusalOf(await api.post(PATH, body), 400);
    expect(refusal).toEqual({ code: "validation_failed", message: "Idempotency-Key is required" });
    const rows = await database.query(
      "SELECT FROM topup_intent WHERE merchant_reference = $1",
      body.merchant_reference,
    );
    expect(rows).toHaveLength(0);
  });

  const source = { type: "provider_gateway", currency: "USDT" } as const;
  const invalid: readonly (readonly [string, object, RegExp])[] = [
    [
      "a destination currency that is not enabled",
      { destination: { amount: "1", currency: "USD" } },
      /^destination\.c/,
    ],
    ["a missing destination amount", { destination: { currency: "BRL" } }, /^destination\.amount is required/],
    ["a source that is no token", { source: { ...source, currency: "EUR" } }, /^source\.currency /],
    ["a network the provider does not have", { source: { ...source, network: "sneaker" } }, /^source\.network /],
    ["a provider that does not exist", { source: { ...source, provider: "acme" } }, /^source\.provider /],
    ["a source type that cannot be created", { source: { ...source, type: "bank_transfer" } }, /^source\.type /],
    [
      "a sum whose price in the source's units no column could hold",
      { destination: { amount: "9".repeat(30), currency: "USDT" }, source: { ...source, currency: "ETH" } },
      /^destination\.amount /,
    ],
    ["a missing country", { country: undefined }, /^country is required/],
  ];
  for (const [what, changes, message] of invalid) {
    test(`${what} is rejected with the field's name, and leaves no row`, async ({ api, database }) => {
      const body = { ...topupBody(), ...changes };
      const refusal = refusalOf(await api.post(PATH, body, keyed()), 400);
      expect(refusal.code).toBe("validation_failed");
      expect(refusal.message).toMatch(message);
      const rows = await database.query(
        "SELECT FROM topup_intent WHERE merchant_reference = $1",
        body.merchant_reference,
      );
      expect(rows).toHaveLength(0);
    });
  }
});

test.describe("other environment", () => {
  test("without a provider for live no top-up is offered, and the key stays unused", async ({ liveApi }) => {
    const options = keyed();
    expect(refusalOf(await liveApi.post(PATH, topupBody(), options), 400).message).toMatch(
      /^source\.type is not offered/,
    );
    expect(refusalOf(await liveApi.post(PATH, topupBody(), options), 400).code).toBe("validation_failed");
  });
});

test.describe("409", () => {
  for (const [field, changes] of [
    ["destination.amount", { destination: { amount: "20000", currency: "BRL" } }],
    ["destination.currency", { destination: { amount: "10000", currency: "MXN" } }],
    ["source.currency", { source: { type: "provider_gateway", currency: "USDC" } }],
  ] as const) {
    test(`a reference reused with another ${field} is rejected by that name`, async ({ api }) => {
      const body = topupBody();
      const { id } = bodyOf<TopupIntentResource>(await api.post(PATH, body, keyed()), 201);
      const refusal = refusalOf(await api.post(PATH, { ...body, ...changes }, keyed()), 409);
      expect(refusal).toEqual({
        code: "duplicate_merchant_reference",
        message: `merchant_reference was used with a different ${field}.`,
      });
      expect(await read(api, id)).toMatchObject({ status: "requires_payment" });
    });
  }
});
