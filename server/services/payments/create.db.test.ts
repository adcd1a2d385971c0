// Creating payment intents through the real verb, database and sandbox.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { ServiceError } from "@/server/domain/errors";
import { newId } from "@/server/platform/ids";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, payment, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "./create";
import { PAYMENTS } from "./kind";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant(["BRL", "MXN", "JPY", "USDT"]);
});
afterEach(requireInvariants);

const create = (command = payment()) => createPaymentIntent(merchant.context, command, withoutIdempotency());

function refusalOf(promise: Promise<unknown>): Promise<ServiceError> {
  return promise.then(
    () => Promise.reject(new Error("nothing was refused")),
    (error: unknown) => error as ServiceError,
  );
}

describe("a repeated merchant reference", () => {
  it("50 times at once creates one row and returns 50 equal ids", async () => {
    const command = payment();
    const done = await Promise.all(Array.from({ length: 50 }, () => create(command)));
    expect(new Set(done.map(({ intent }) => intent.id)).size).toBe(1);
    expect(done.filter(({ completion }) => completion === "created")).toHaveLength(1);
    expect(done.filter(({ completion }) => completion === "repeated")).toHaveLength(49);
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
    expect(await countRows("provider_attempt", merchant.merchantId)).toBe(1);
  });

  it("returns the original in its current state, even a final one, without calling the provider", async () => {
    const command = payment({ amount: "1002" });
    const first = await create(command);
    expect(first.intent.status).toBe("succeeded");
    const again = await create({ ...command, customer: { name: "Other" } });
    expect(again).toEqual({
      intent: await getIntent(PAYMENTS, merchant.scope, first.intent.id),
      completion: "repeated",
    });
    expect(await countRows("provider_attempt", merchant.merchantId)).toBe(1);
    expect(await balanceOf(merchant)).toEqual([OPENING + 1002n, 0n]);
  });

  it.each([
    ["amount", { amount: "1051" }],
    ["payment_method", { paymentMethod: "BR_BOLETO" }],
    ["currency", { paymentMethod: "MX_SPEI", country: "MX", currency: "MXN" }],
  ])("with another %s is rejected; the error names the field and no value", async (field, change) => {
    const command = payment();
    await create(command);
    const refusal = await refusalOf(create({ ...command, ...change }));
    expect(refusal).toMatchObject({
      code: "duplicate_merchant_reference",
      message: `merchant_reference was used with a different ${field}.`,
    });
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
  });

  it("is compared byte for byte: different case, spaces or composition is another reference", async () => {
    const references = ["a", "A", " a", "a ", "\u00e9", "e\u0301", "\u{1F48E}", "a\u200b"];
    const done = await Promise.all(references.map((merchantReference) => create(payment({ merchantReference }))));
    expect(new Set(done.map(({ intent }) => intent.id)).size).toBe(references.length);
    for (const { intent } of done) {
      expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).merchantReference).toBe(intent.merchantReference);
    }
  });
});

describe("the outcome of an amount at the sandbox", () => {
  it.each([
    ["1050", "requires_action", null, 0n],
    ["1001", "failed", "provider_declined", 0n],
    ["1002", "succeeded", null, 1002n],
    ["1004", "processing", null, 0n],
    ["1005", "expired", "expired", 0n],
  ])("%s: %s with failure %s, credited %s", async (amount, status, failure, credited) => {
    const { intent } = await create(payment({ amount }));
    expect([intent.status, intent.failure?.code ?? null]).toEqual([status, failure]);
    expect(await getIntent(PAYMENTS, merchant.scope, intent.id)).toEqual(intent);
    expect(await balanceOf(merchant)).toEqual([OPENING + credited, 0n]);
    const [attempt] = await query<{ state: string }>(
      "SELECT state FROM provider_attempt WHERE merchant_id = $1",
      merchant.merchantId,
    );
    expect(attempt?.state).toBe(amount === "1004" ? "unknown" : "answered");
  });
});

describe("what cannot be created", () => {
  it.each([
    [
      "currency",
      { currency: "USD", country: "US", paymentMethod: "US_CARD" },
      "currency is not enabled for this merchant",
    ],
    ["a method outside the catalogue", { paymentMethod: "BR_CARD" }, "payment_method is not in the catalogue"],
    ["a method of another country", { country: "MX" }, "payment_method belongs to another country"],
    ["a currency that is not the method's", { currency: "MXN" }, "currency must be BRL for BR_PIX"],
    ["an amount beyond the digits", { amount: "1".repeat(16) }, "amount has too many digits"],
    ["an amount beyond the method's bounds", { amount: "1000000001" }, "amount must be from 1 to 1000000000"],
  ])("%s is rejected and leaves no row", async (_what, change, message) => {
    const refusal = await refusalOf(create(payment(change)));
    expect(refusal.code).toBe("validation_failed");
    expect(refusal.message).toContain(message);
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(0);
  });

  it("a live payment without a provider is rejected", async () => {
    const live = { ...merchant.context, scope: { ...merchant.scope, environment: "live" as const } };
    const refusal = await refusalOf(createPaymentIntent(live, payment(), withoutIdempotency()));
    expect(refusal).toMatchObject({ code: "validation_failed", message: expect.stringContaining("payment_method") });
  });
});

describe("reading", () => {
  it("absent, foreign, other environment, other kind and malformed ids get the same error", async () => {
    const { intent } = await create();
    const other = await makeMerchant();
    const live = { ...merchant.scope, environment: "live" as const };
    const refusals = await Promise.all([
      refusalOf(getIntent(PAYMENTS, other.scope, intent.id)),
      refusalOf(getIntent(PAYMENTS, live, intent.id)),
      refusalOf(getIntent(PAYMENTS, merchant.scope, intent.id.replace("dord_", "word_"))),
      refusalOf(getIntent(PAYMENTS, merchant.scope, newId("paymentIntent"))),
      refusalOf(getIntent(PAYMENTS, merchant.scope, "")),
      refusalOf(getIntent(PAYMENTS, merchant.scope, "dord_\u0000")),
    ]);
    expect(new Set(refusals.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(refusals[0]?.code).toBe("not_found");
  });
});
