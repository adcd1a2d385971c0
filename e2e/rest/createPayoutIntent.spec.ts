// POST /payout_intents (interface §4.7), by status code.
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { OVERLAPPING } from "../support/recorded-answers";
import { payoutBody, RECIPIENT, unused } from "./bodies";
import { bodyOf, cancelPayout, createPayout, read, refusalOf, statusesOf, walletOf } from "./calls";
import { attemptsOf, bookingsOf } from "./database";
import { expect, test } from "./parties";

const PATH = "/payout_intents";

test.describe("201", () => {
  test("a valid body creates an intent at the gate that shows every documented field", async ({ api, database }) => {
    const body = payoutBody();
    const intent = bodyOf<PayoutIntentResource>(await api.post(PATH, body), 201);
    const { recipient: _, ...sums } = body;
    expect(intent).toMatchObject({ object: "payout_intent", environment: "test", ...sums });
    expect(intent).toMatchObject({ status: "requires_approval", failure_code: null, failure_message: null });
    expect(intent.recipient).toEqual({
      type: "bank_account",
      account_last4: "7890",
      bank_code: RECIPIENT.bank_code,
      holder_name: RECIPIENT.holder_name,
    });
    expect(Object.keys(intent)).toEqual([
      "object",
      "id",
      "amount",
      "currency",
      "country",
      "environment",
      "status",
      "merchant_reference",
      "recipient",
      "failure_code",
      "failure_message",
      "created_at",
      "updated_at",
    ]);
    expect(intent.id).toMatch(/^word_[0-9a-z]{26}$/);
    expect(await read(api, intent.id)).toEqual(intent);
    expect(await attemptsOf(database, intent.id), "no provider hears of it before the approval").toBe(0);
  });

  test("the amount moves from available to held immediately", async ({ api, database }) => {
    const before = await walletOf(api, "BRL");
    const { id } = await createPayout(api, { amount: "700" });
    const after = await walletOf(api, "BRL");
    expect(after).toEqual({ available: before.available - 700n, held: before.held + 700n });
    expect(await bookingsOf(database, id)).toEqual(["payout_hold available -700 BRL", "payout_hold held 700 BRL"]);
  });

  test("the whole balance can be paid out, to the unit", async ({ api }) => {
    const { available } = await walletOf(api, "MXN");
    await createPayout(api, { amount: available.toString(), currency: "MXN", country: "MX" });
    expect(await walletOf(api, "MXN")).toEqual({ available: 0n, held: available });
  });

  test("a token can be paid out as well as an ISO currency", async ({ api }) => {
    const intent = await createPayout(api, { amount: "1000000", currency: "USDT" });
    expect(intent).toMatchObject({ currency: "USDT", status: "requires_approval" });
  });

  test("five characters are the shortest account number, so that its last four are never all of it", async ({
    api,
  }) => {
    const intent = await createPayout(api, { recipient: { ...RECIPIENT, account_number: "91234" } });
    expect(intent.recipient.account_last4).toBe("1234");
  });
});

test.describe("200", () => {
  test("a repeated reference returns the original and holds nothing more", async ({ api }) => {
    const body = payoutBody();
    const original = bodyOf<PayoutIntentResource>(await api.post(PATH, body), 201);
    const held = await walletOf(api, "BRL");
    expect(bodyOf(await api.post(PATH, body), 200)).toEqual(original);
    expect(await walletOf(api, "BRL")).toEqual(held);
  });

  test("a repeat of the payout that emptied the wallet is still a repeat", async ({ api }) => {
    const { available } = await walletOf(api, "BRL");
    const body = payoutBody({ amount: available.toString() });
    const { id } = bodyOf<PayoutIntentResource>(await api.post(PATH, body), 201);
    expect(bodyOf<PayoutIntentResource>(await api.post(PATH, body), 200).id).toBe(id);
  });

  test("the original is returned in its current state, even if cancelled", async ({ api }) => {
    const body = payoutBody();
    const { id } = bodyOf<PayoutIntentResource>(await api.post(PATH, body), 201);
    const cancelled = await cancelPayout(api, id, "changed my mind");
    expect(bodyOf(await api.post(PATH, body), 200)).toEqual(cancelled);
  });

  test("50 equal creations at once leave one row, one hold, and 50 equal ids", { tag: OVERLAPPING }, async ({
    api,
    database,
  }) => {
    const before = await walletOf(api, "BRL");
    const body = payoutBody({ amount: "900" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.post(PATH, body)));
    expect(new Set(answers.map((answer) => (answer.body as PayoutIntentResource).id)).size).toBe(1);
    expect(statusesOf(answers)).toEqual([...Array.from({ length: 49 }, () => 200), 201]);
    const rows = await database.query(
      "SELECT FROM payout_intent WHERE merchant_reference = $1",
      body.merchant_reference,
    );
    expect(rows).toHaveLength(1);
    expect(await walletOf(api, "BRL")).toEqual({ available: before.available - 900n, held: before.held + 900n });
  });
});

test.describe("400", () => {
  const invalid: readonly (readonly [string, object, RegExp])[] = [
    ["a missing recipient", { recipient: undefined }, /^recipient is required/],
    ["a recipient of another type", { recipient: { ...RECIPIENT, type: "card" } }, /^recipient\.type /],
    ["an account number of four characters", { recipient: { ...RECIPIENT, account_number: "1234" } }, /^recipient\.a/],
    ["a missing bank code", { recipient: { ...RECIPIENT, bank_code: undefined } }, /^recipient\.bank_code is required/],
    ["an empty holder name", { recipient: { ...RECIPIENT, holder_name: "" } }, /^recipient\.holder_name /],
    ["a currency that is not enabled", { currency: "USD" }, /^currency /],
    ["a country that does not exist", { country: "XX" }, /^country /],
    ["an amount with a decimal point", { amount: "10.50" }, /^amount /],
    ["an amount of 16 digits", { amount: "1000000000000000" }, /^amount /],
  ];
  for (const [what, changes, message] of invalid) {
    test(`${what} is rejected with the field's name, holds nothing and leaves no row`, async ({ api, database }) => {
      const body = { ...payoutBody(), ...changes };
      const refusal = refusalOf(await api.post(PATH, body), 400);
      expect(refusal.code).toBe("validation_failed");
      expect(refusal.message).toMatch(message);
      const rows = await database.query(
        "SELECT FROM payout_intent WHERE merchant_reference = $1",
        body.merchant_reference,
      );
      expect(rows).toHaveLength(0);
    });
  }
});

test.describe("other environment", () => {
  test("without a provider for live nothing is paid out, whatever the test wallet contains", async ({ liveApi }) => {
    expect(refusalOf(await liveApi.post(PATH, payoutBody()), 400).message).toMatch(/^currency cannot be paid out/);
  });
});

test.describe("409", () => {
  for (const [field, recipient, changes] of [
    ["amount", {}, { amount: "2600" }],
    ["country", {}, { country: "PT" }],
    ["recipient.account_number", { account_number: "9990001112223" }, {}],
    ["recipient.bank_code", { bank_code: "237" }, {}],
    ["recipient.holder_name", { holder_name: "Ana Sousa" }, {}],
  ] as const) {
    test(`a reference reused with another ${field} is rejected by that name, never its value`, async ({ api }) => {
      const body = payoutBody();
      const original = bodyOf<PayoutIntentResource>(await api.post(PATH, body), 201);
      const reuse = { ...body, ...changes, recipient: { ...body.recipient, ...recipient } };
      const refusal = refusalOf(await api.post(PATH, reuse), 409);
      expect(refusal).toEqual({
        code: "duplicate_merchant_reference",
        message: `merchant_reference was used with a different ${field}.`,
      });
      expect(await read(api, original.id)).toEqual(original);
    });
  }
});

test.describe("422", () => {
  test("one unit more than the balance is rejected, and leaves neither a row nor a hold", async ({ api, database }) => {
    const before = await walletOf(api, "BRL");
    const body = payoutBody({ amount: (before.available + 1n).toString() });
    expect(refusalOf(await api.post(PATH, body), 422).code).toBe("insufficient_balance");
    expect(await walletOf(api, "BRL")).toEqual(before);
    const rows = await database.query(
      "SELECT FROM payout_intent WHERE merchant_reference = $1",
      body.merchant_reference,
    );
    expect(rows).toHaveLength(0);
    const smaller = { ...body, amount: before.available.toString() };
    expect(bodyOf<PayoutIntentResource>(await api.post(PATH, smaller), 201).amount).toBe(smaller.amount);
  });

  test("100 payouts at once against a balance for 10: exactly 10 are accepted", { tag: OVERLAPPING }, async ({
    api,
    database,
  }) => {
    const { available } = await walletOf(api, "BRL");
    const amount = (available / 10n).toString();
    const bodies = Array.from({ length: 100 }, () => payoutBody({ amount, merchant_reference: unused("race") }));
    const answers = await Promise.all(bodies.map((body) => api.post(PATH, body)));
    const accepted = answers.filter(({ status }) => status === 201);
    expect(accepted).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(90);
    for (const answer of refused) expect(refusalOf(answer, 422).code).toBe("insufficient_balance");
    expect(await walletOf(api, "BRL")).toEqual({ available: 0n, held: available });
    const references = bodies.map(({ merchant_reference }) => merchant_reference);
    const rows = await database.query("SELECT FROM payout_intent WHERE merchant_reference = ANY($1)", references);
    expect(rows).toHaveLength(10);
  });
});

test.describe("other merchant", () => {
  test("another merchant's equal reference is a separate payout", async ({ api, strangerApi }) => {
    const merchant_reference = unused("shared");
    const [ours, theirs] = await Promise.all(
      [api, strangerApi].map((one) => createPayout(one, { merchant_reference })),
    );
    expect(ours?.id).not.toBe(theirs?.id);
  });
});
