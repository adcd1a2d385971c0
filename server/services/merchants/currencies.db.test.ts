// Currencies that the operator adds to and removes from a merchant.
import { beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { listIntents } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createPayoutIntent } from "../payouts/create";
import { simulate } from "../sandbox/simulate";
import { suspendMerchant } from "../suspension/suspend";
import { getWallets } from "../wallets";
import { addCurrency, listCurrencies, removeCurrency } from "./currencies";

const NOT_ENABLED = { code: "validation_failed", message: "currency is not enabled for this merchant" };

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant(["BRL"]);
});

const inLive = () => ({ ...merchant.scope, environment: "live" as const });
const add = (currency: string) => addCurrency(merchant.merchantId, currency);
const remove = (currency: string) => removeCurrency(merchant.merchantId, currency);

it("an added currency has a funded wallet in test and an empty one in live, also if it is added twice at once", async () => {
  const results = await Promise.allSettled([add("MXN"), add("MXN"), add("MXN")]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(await getWallets(merchant.scope)).toContainEqual({ currency: "MXN", available: 100_000_000n, held: 0n });
  expect(await getWallets(inLive())).toContainEqual({ currency: "MXN", available: 0n, held: 0n });
  const { intent } = await createPaymentIntent(
    merchant.context,
    payment({ currency: "MXN", country: "MX", paymentMethod: "MX_SPEI" }),
    withoutIdempotency(),
  );
  expect(intent.currency).toBe("MXN");
  await requireInvariants();
});

it("nothing new is created in a removed currency; what exists is finished, and stays visible", async () => {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  const before = await getWallets(merchant.scope);
  await remove("BRL");
  for (const create of [
    () => createPaymentIntent(merchant.context, payment(), withoutIdempotency()),
    () => createPayoutIntent(merchant.context, payout(), withoutIdempotency()),
  ])
    await expect(create()).rejects.toMatchObject(NOT_ENABLED);
  expect(await getWallets(merchant.scope)).toEqual(before);
  const done = await simulate(merchant.context, intent.id, "succeeded");
  expect(done.intent.status).toBe("succeeded");
  const [wallet] = await getWallets(merchant.scope);
  expect(wallet?.available).toBe((before[0]?.available ?? 0n) + intent.amount);
  const page = await listIntents(PAYMENTS, merchant.scope, { equals: { currency: "BRL" } }, null, 10);
  expect(page.rows.map(({ id }) => id)).toEqual([intent.id]);
  await requireInvariants();
});

it("a currency that was removed and added again has its former wallet", async () => {
  const before = await getWallets(merchant.scope);
  await remove("BRL");
  expect(await listCurrencies(merchant.merchantId)).toEqual([{ currency: "BRL", removedAt: expect.any(Date) }]);
  await add("BRL");
  expect(await getWallets(merchant.scope)).toEqual(before);
  await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  await requireInvariants();
});

it("each change is in the audit log as the operator's", async () => {
  await add("MXN");
  await remove("MXN");
  const entries = await query(
    `SELECT action, actor_type, after->>'currency' AS currency FROM audit_entry
     WHERE merchant_id = $1 AND action LIKE 'merchant.%currency' ORDER BY id`,
    merchant.merchantId,
  );
  const acted = { actor_type: "operator", currency: "MXN" };
  expect(entries).toEqual([
    { action: "merchant.add_currency", ...acted },
    { action: "merchant.remove_currency", ...acted },
  ]);
});

it("rejects unknown codes, merchants and changes that change nothing", async () => {
  const invalid = { code: "validation_failed" };
  for (const attempt of [() => add("XXX"), () => add("BRL"), () => remove("MXN")])
    await expect(attempt()).rejects.toMatchObject(invalid);
  await remove("BRL");
  await expect(remove("BRL")).rejects.toMatchObject(invalid);
  await expect(addCurrency("mer_none", "MXN")).rejects.toMatchObject({ code: "not_found" });
  await suspendMerchant(merchant.merchantId, "A test.");
  await add("MXN");
});
