// Tests that honest answers of providers, also repeated ones, agree with their audit entries.

import { expect, it } from "vitest";
import { query } from "@/server/db/client";
import { makeLiveMerchant, payment, payout } from "@/server/testing/merchant";
import { installScriptedProviders } from "@/server/testing/scripted-provider";
import { workOnDueIntents } from "../due-intents";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { linkAuditEntries } from "./link-entries";
import { verifyAuditChains } from "./verify-chains";

async function workOn(table: "payment_intent" | "payout_intent", merchantId: string): Promise<void> {
  await query(
    `UPDATE ${table} SET due_at = now() - interval '1 second' WHERE merchant_id = $1 AND due_at IS NOT NULL`,
    merchantId,
  );
  await workOnDueIntents(table, 50, 30_000);
}

async function faultOf(merchantId: string) {
  await linkAuditEntries();
  const [report] = await verifyAuditChains(merchantId);
  return report?.broken;
}

it("a call that polls answer again agrees with the last answer that changed its payment", async () => {
  const merchant = await makeLiveMerchant();
  const { scripted } = installScriptedProviders("scripted");
  scripted.answer = {
    kind: "requires_action",
    providerReference: "psp-1",
    nextAction: { type: "redirect_to_url", url: "https://psp.example/1", expires_at: "2026-12-01T00:00:00.000Z" },
  };
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  expect(intent.status).toBe("requires_action");
  expect(await faultOf(merchant.merchantId)).toBeNull();
  scripted.answerToQuestion = { kind: "pending", providerReference: "psp-1" };
  await workOn("payment_intent", merchant.merchantId);
  scripted.answerToQuestion = {
    kind: "succeeded",
    amount: 1050n,
    currency: "BRL",
    providerReference: "psp-2",
    receiptId: null,
  };
  await workOn("payment_intent", merchant.merchantId);
  expect((await getIntent(PAYMENTS, merchant.scope, intent.id)).status).toBe("succeeded");
  expect(await faultOf(merchant.merchantId)).toBeNull();
});

it("a denied call agrees with its entry, also if another provider then settles the payout", async () => {
  const merchant = await makeLiveMerchant();
  const { first, second } = installScriptedProviders("first", "second");
  first.answer = { kind: "never_accepted", detail: "no" };
  second.answer = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "psp-1" };
  const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
  await workOn("payout_intent", merchant.merchantId);
  expect((await getIntent(PAYOUTS, merchant.scope, intent.id)).status).toBe("succeeded");
  expect(await faultOf(merchant.merchantId)).toBeNull();
});
