// Top-up terms are per environment, audited, checked, and kept by the top-ups made under them.

import { expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { TypedTopupTerms } from "@/server/domain/topup-terms";
import { newId } from "@/server/platform/ids";
import { countRows } from "@/server/testing/invariants";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { createTopupIntent } from "../topups/create";
import { TOPUPS } from "../topups/kind";
import { getTopupTerms, setTopupTerms } from "./topup-terms";

const NOTHING: TypedTopupTerms = {
  overpayment: null,
  underpayment: null,
  latePayment: null,
  spreadBasisPoints: null,
  feeMode: null,
};
const BEGINNING = {
  overpayment: "credit_actual",
  underpayment: "credit_actual",
  latePayment: "hold",
  spreadBasisPoints: 50,
  feeMode: "absorbed",
};

async function make({ context }: TestMerchant, amount = "100000") {
  const { intent } = await createTopupIntent(
    context,
    {
      destination: { amount, currency: "BRL" },
      source: { type: "provider_gateway", provider: null, currency: "USDT", network: null },
      country: "BR",
      merchantReference: null,
    },
    withoutIdempotency(),
  );
  return intent;
}

it("a merchant begins with the same terms in both environments; setting some changes those alone, there alone", async () => {
  const { merchantId, scope } = await makeMerchant();
  const live = { ...scope, environment: "live" } as const;
  expect([await getTopupTerms(scope), await getTopupTerms(live)]).toEqual([BEGINNING, BEGINNING]);
  const set = await setTopupTerms(live, { ...NOTHING, overpayment: "hold", spreadBasisPoints: "0" });
  expect(set).toEqual({ ...BEGINNING, overpayment: "hold", spreadBasisPoints: 0 });
  expect([await getTopupTerms(scope), await getTopupTerms(live)]).toEqual([BEGINNING, set]);
  const entries = () =>
    query("SELECT * FROM audit_entry WHERE merchant_id = $1 AND action = 'merchant.set_topup_terms'", merchantId);
  expect(await entries()).toMatchObject([
    {
      environment: "live",
      actor_type: "operator",
      before: { overpayment: "credit_actual", spread_basis_points: 50 },
      after: { overpayment: "hold", spread_basis_points: 0, late_payment: "hold" },
    },
  ]);
  await setTopupTerms(live, { ...NOTHING, overpayment: "hold" });
  expect(await entries()).toHaveLength(1);
});

it.each<[Partial<TypedTopupTerms>, string]>([
  [{ overpayment: "keep" }, "overpayment must be one of credit_actual, hold, refund"],
  [{ underpayment: "" }, "underpayment must be"],
  [{ latePayment: "HOLD" }, "late-payment must be"],
  [{ feeMode: "shared" }, "fee-mode must be one of absorbed, added, deducted"],
  ...["-1", "10001", "1e3", "", "5.0", "007"].map((text): [Partial<TypedTopupTerms>, string] => [
    { spreadBasisPoints: text },
    "spread-basis-points must be",
  ]),
])("%j is refused and changes nothing", async (typed, message) => {
  const { scope, merchantId } = await makeMerchant();
  const count = await countRows("audit_entry", merchantId);
  await expect(setTopupTerms(scope, { ...NOTHING, feeMode: "added", ...typed })).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining(message) as string,
  });
  expect(await getTopupTerms(scope)).toEqual(BEGINNING);
  expect(await countRows("audit_entry", merchantId)).toBe(count);
});

it("an unknown merchant has no terms to show or set", async () => {
  const scope = { merchantId: newId("merchant"), environment: "test" } as const;
  await expect(getTopupTerms(scope)).rejects.toMatchObject({ code: "not_found" });
  await expect(setTopupTerms(scope, NOTHING)).rejects.toMatchObject({ code: "not_found" });
});

it("top-ups keep the terms they were made under, and new ones get the new ones at once", async () => {
  const merchant = await makeMerchant();
  const { scope } = merchant;
  const before = await make(merchant);
  await setTopupTerms(scope, {
    overpayment: "refund",
    underpayment: "hold",
    latePayment: "credit_actual",
    spreadBasisPoints: "125",
    feeMode: "added",
  });
  const after = await make(merchant);
  expect(await getIntent(TOPUPS, scope, before.id)).toEqual(before);
  expect(before.policies).toEqual({ overpayment: "credit_actual", underpayment: "credit_actual", latePayment: "hold" });
  expect(await getIntent(TOPUPS, scope, after.id)).toEqual(after);
  expect(after).toMatchObject({
    policies: { overpayment: "refund", underpayment: "hold", latePayment: "credit_actual" },
    spreadAmount: 1250n,
    feeMode: "added",
  });
  expect([before.spreadAmount, before.feeMode]).toEqual([500n, "absorbed"]);
});
