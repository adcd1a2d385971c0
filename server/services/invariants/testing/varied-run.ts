// A history for the invariants: every status of every kind, and every movement of money.

import { asMember, asOperator } from "@/server/cli/acting-as";
import { query } from "@/server/db/client";
import { listExceptionsOf } from "@/server/db/exceptions";
import { findRefund } from "@/server/db/suspense-refunds";
import { claimDueDeliveriesAcrossMerchants } from "@/server/db/webhooks/claims";
import type { EventType } from "@/server/domain/events";
import type { CallContext } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { storeCallback } from "@/server/services/callbacks/store";
import {
  adoptPolicy,
  approvedPayout,
  keyed,
  makeMember,
  makeMerchant,
  OPENING,
  once,
  payment,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { createApiKey } from "../../api-keys/create";
import { linkAuditEntries } from "../../audit/link-entries";
import { applyDueCallbacks } from "../../callbacks/receive-callback";
import { createDemoMerchant } from "../../demo/demo-merchant";
import { SCENARIOS } from "../../demo/scenarios";
import { workOnDueIntents } from "../../due-intents";
import { listExceptionsAcrossMerchants } from "../../exceptions/list";
import { settleException } from "../../exceptions/settle";
import { foldFigures } from "../../figures/fold";
import { withoutIdempotency } from "../../idempotency/completion";
import { followUp } from "../../intents/follow-up";
import { confirmJournalEntry } from "../../journal/decide";
import { proposeJournalEntry } from "../../journal/propose";
import { namedOperator, operatorContext } from "../../merchants/operator";
import { setTopupTerms } from "../../merchants/topup-terms";
import { createPaymentIntent } from "../../payments/create";
import { approvePayoutIntent } from "../../payouts/approve";
import { cancelPayoutIntent } from "../../payouts/cancel";
import { createPayoutIntent } from "../../payouts/create";
import { PAYOUTS } from "../../payouts/kind";
import { confirmRefund, rejectRefund } from "../../refunds/decide";
import { workOnDueRefunds } from "../../refunds/due-refunds";
import { pollRefund } from "../../refunds/follow-up";
import { proposeRefund } from "../../refunds/propose";
import { confirmResolution } from "../../resolutions/confirm";
import type { FindingInput } from "../../resolutions/finding";
import { proposeResolution } from "../../resolutions/propose";
import { simulate } from "../../sandbox/simulate";
import { createTopupIntent } from "../../topups/create";
import { fundWallet } from "../../wallets";
import { createWebhookEndpoint } from "../../webhooks/create-endpoint";
import { reportAttempt } from "../../webhooks/report";
import { updateWebhookEndpoint } from "../../webhooks/update-endpoint";
import { postponePending } from "./rest";

const LEASE_MS = 30_000;
const AS_IS = { overpayment: null, underpayment: null, latePayment: null, spreadBasisPoints: null, feeMode: null };

const FINANCE = "finance@varied.example";

async function topup({ context }: TestMerchant, amount: string, ...outcomes: string[]): Promise<void> {
  const command = {
    destination: { amount, currency: "BRL" },
    source: { type: "provider_gateway", provider: null, currency: "USDT", network: "tron" } as const,
    country: "BR",
    merchantReference: null,
  };
  const { intent } = await createTopupIntent(context, command, withoutIdempotency());
  for (const outcome of outcomes) await simulate(context, intent.id, outcome);
}

/** Reports late money that cannot be credited, and overpaid and underpaid money, under every policy. */
async function unmatchedMoney(merchant: TestMerchant): Promise<void> {
  const { context, scope } = merchant;
  const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
  for (const outcome of ["expired", "succeeded"]) await simulate(context, intent.id, outcome);
  for (const feeMode of ["added", "deducted", "absorbed"]) {
    await setTopupTerms(scope, { ...AS_IS, feeMode });
    await topup(merchant, "50000", "overpaid");
  }
  await topup(merchant, "50007", "expired");
  for (const latePayment of ["credit_actual", "hold"]) {
    await setTopupTerms(scope, { ...AS_IS, overpayment: "hold", underpayment: "refund", latePayment });
    await topup(merchant, "50000", "overpaid");
    await topup(merchant, "50000", "underpaid", "expired");
    await topup(merchant, "50007", "expired", "funds_dropped");
  }
}

/** Settles a part of these exceptions. */
async function settle({ merchantId, scope }: TestMerchant): Promise<void> {
  await makeMember(merchantId, FINANCE, "finance");
  const { exceptions } = await listExceptionsAcrossMerchants({ merchantId, openOnly: true });
  for (const kind of ["amount_mismatch", "funds_dropped"] as const) {
    const { id = "" } = exceptions.find((exception) => exception.kind === kind) ?? {};
    const as = kind === "funds_dropped" ? "recover" : "credit";
    await settleException(await asMember(scope, FINANCE), id, as, "Settled.");
  }
}

/** Resolves an intent of each kind by two people, and books a journal entry by two operators. */
async function byHand(merchant: TestMerchant): Promise<void> {
  const { scope, context } = merchant;
  const [first, second] = ["Maria Lopez", "Jan Novak"] as const;
  const letter = { amount: null, providerReference: null, evidence: "Letter of the provider." };
  const end = async (id: string, finding: Pick<FindingInput, "outcome"> & Partial<FindingInput>) => {
    const proposed = await proposeResolution(asOperator(scope, first), id, { ...letter, ...finding });
    await confirmResolution(proposed.id, namedOperator(second));
  };
  const { id: less } = await approvedPayout(merchant);
  await end(less, { outcome: "settled", amount: "24000" });
  const { id: more } = await approvedPayout(merchant);
  await end(more, { outcome: "settled", amount: "26000" });
  const { id: none } = await approvedPayout(merchant);
  await end(none, { outcome: "failed" });
  const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
  await end(intent.id, { outcome: "succeeded" });
  const entry = {
    from: "provider_clearing",
    to: "available",
    currency: "BRL",
    amount: "7",
    provider: "sandbox",
  } as const;
  const journal = { ...entry, evidence: letter.evidence, exceptionId: null, about: null, isAdditional: false };
  await confirmJournalEntry((await proposeJournalEntry(scope, first, journal)).id, second);
}

/** Refunds of late money: one for each way in which a refund ends, also by hand, and one that is confirmed. */
async function refunds(merchant: TestMerchant): Promise<void> {
  const propose = async (amount: string) => {
    const { intent } = await createPaymentIntent(merchant.context, payment({ amount }), withoutIdempotency());
    if (intent.status === "requires_action") await simulate(merchant.context, intent.id, "expired");
    await simulate(merchant.context, intent.id, "succeeded");
    const [exception] = await listExceptionsOf(merchant.scope, { objectId: intent.id }, null, 1);
    return proposeRefund(merchant.byMember(), exception?.id ?? "", "Paid too late.");
  };
  await rejectRefund(merchant.byMember(), (await propose("1020")).id);
  for (const amount of ["1010", "1001"]) await confirmRefund(merchant.byMember(), (await propose(amount)).id);
  const { id } = await confirmRefund(merchant.byMember(), (await propose("1005")).id);
  await workOnDueRefunds(10);
  const settled = await findRefund(merchant.scope, id);
  if (settled) await pollRefund(settled, now);
  for (const [amount, outcome] of [
    ["1040", "settled"],
    ["1050", "failed"],
  ] as const) {
    const { id: stuck } = await confirmRefund(merchant.byMember(), (await propose(amount)).id);
    const finding = { outcome, amount: null, providerReference: null, evidence: "Letter of the provider." };
    const found = await proposeResolution(asOperator(merchant.scope, "Maria Lopez"), stuck, finding);
    await confirmResolution(found.id, namedOperator("Jan Novak"));
  }
  await confirmRefund(merchant.byMember(), (await propose("1030")).id);
}

/** Payouts that are dispatched, lapse, are approved and rejected; one created by a person, one returned. */
async function payouts(merchant: TestMerchant): Promise<void> {
  const { id } = await approvedPayout(merchant);
  for (const outcome of ["settled", "returned"]) await simulate(merchant.context, id, outcome);
  for (const amount of ["25000", "25001", "25002"]) await approvedPayout(merchant, { amount });
  const { intent } = await createPayoutIntent(merchant.byMember(), payout(), withoutIdempotency());
  const maker = merchant.byMember();
  const { id: keyId } = await createApiKey(maker, "A member's");
  await createPayoutIntent({ ...maker, actor: { type: "api_key", id: keyId } }, payout(), withoutIdempotency());
  await followUp(PAYOUTS, intent, now);
  await createPayoutIntent(merchant.byMember(), payout(), withoutIdempotency());
  await strictPolicy(merchant);
  await workOnDueIntents("payout_intent", 50, LEASE_MS);
}

/** A policy by two people, and payouts under it: dispatched with two approvals, waiting with one, dispatched with none. */
async function strictPolicy(merchant: TestMerchant): Promise<void> {
  const rules = [
    { currency: "BRL", amountAtLeast: 30_000n, approvals: 2 },
    { currency: "JPY", approvals: 0 },
  ];
  await adoptPolicy(merchant, { rules, defaultApprovals: 1 });
  const { id } = await approvedPayout(merchant, { amount: "35003" });
  await approvePayoutIntent(merchant.byMember(), { id });
  await approvedPayout(merchant, { amount: "35004" });
  await createPayoutIntent(
    merchant.context,
    payout({ amount: "10003", currency: "JPY", country: "JP" }),
    withoutIdempotency(),
  );
}

/** Stores idempotent answers: a creation, a cancellation, a rejection. */
async function keyedRequests(merchant: TestMerchant): Promise<void> {
  const { context } = merchant;
  await once(keyed(merchant, "create"), (idempotency) => createPaymentIntent(context, payment(), idempotency));
  const { intent } = await createPayoutIntent(context, payout(), withoutIdempotency());
  const cancellation = { id: intent.id, reason: "not ours" };
  await once(keyed(merchant, "cancel"), (idempotency) => cancelPayoutIntent(context, cancellation, idempotency));
  const refused = once(keyed(merchant, "refuse"), (idempotency) =>
    createPayoutIntent(context, payout({ amount: String(OPENING * 2n) }), idempotency),
  );
  await refused.catch(() => undefined);
}

/** Returns a context with the merchant's API key. */
async function ownKey(merchantId: string): Promise<CallContext> {
  const [key] = await query<{ id: string }>("SELECT id FROM api_key WHERE merchant_id = $1", merchantId);
  return { ...operatorContext(merchantId, "test"), actor: { type: "api_key", id: key?.id ?? "" } };
}

/** A public address, which may be saved; nothing is sent to it. */
const RECEIVER = "https://93.184.215.14/hooks";

async function endpointFor({ context }: TestMerchant, eventTypes: readonly EventType[] | null): Promise<string> {
  const command = { url: RECEIVER, description: "", eventTypes };
  return (await createWebhookEndpoint(context, command, withoutIdempotency())).intent.endpoint.id;
}

/** Records attempts of two deliveries: one accepted, one rejected. */
async function attemptTwo(): Promise<void> {
  const limits = { perEndpoint: {}, newEndpoint: 1, total: 2 };
  const claimed = await claimDueDeliveriesAcrossMerchants(limits, LEASE_MS);
  for (const [index, delivery] of claimed.entries()) {
    const answer = { status: index === 0 ? 200 : 500, error: null };
    const facts = { durationMs: 5, requestHeaders: {}, responseBody: "", detail: null, attemptedAt: new Date() };
    await reportAttempt(delivery, { facts: { ...facts, ...answer }, result: { ...answer, retryAfterMs: null } }, 0.5);
  }
}

/** Plays everything once; returns a merchant for further work. */
export async function playVariedRun(): Promise<TestMerchant> {
  const [demo, merchant] = await Promise.all([createDemoMerchant(SCENARIOS.demo), makeMerchant(["BRL", "JPY"])]);
  const context = await ownKey(demo.merchantId);
  const endpoints = [
    await endpointFor(merchant, null),
    await endpointFor(merchant, ["payout_intent.failed", "payment_intent.expired"]),
  ];
  await keyedRequests({ ...merchant, merchantId: demo.merchantId, scope: context.scope, context });
  await unmatchedMoney(merchant);
  await settle(merchant);
  await linkAuditEntries();
  await foldFigures();
  await byHand(merchant);
  await refunds(merchant);
  await payouts(merchant);
  await attemptTwo();
  for (const id of endpoints)
    await updateWebhookEndpoint(merchant.context, { id, state: "paused" }, withoutIdempotency());
  await linkAuditEntries();
  const funding = { currency: "JPY", amount: 70_000n, reference: "live" };
  await fundWallet(operatorContext(merchant.merchantId, "live"), funding);
  await storeCallback({ provider: "sandbox", callbackId: "cb-1" }, "{}");
  await applyDueCallbacks(10, LEASE_MS);
  await postponePending();
  return merchant;
}
