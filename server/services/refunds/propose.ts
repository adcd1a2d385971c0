// Proposes that the provider sends money in suspense back to its payer.

import { listAttempts } from "@/server/db/attempts";
import type { StoredException } from "@/server/db/exceptions";
import { isRefusedBy } from "@/server/db/failures";
import { paymentIntents } from "@/server/db/intents/stores";
import { findMerchant } from "@/server/db/merchants";
import type { SuspenseBooking } from "@/server/db/suspense";
import { insertRefund, listRefundsOf, type StoredRefund } from "@/server/db/suspense-refunds";
import { NeedsOperator, notFoundError, validationError } from "@/server/domain/errors";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { gatewayByName } from "@/server/psp/registry";
import { dispatchReferenceFor } from "../dispatch-references/for-new";
import { checkedResolution, decidingAct, moneyOf, orResolved, requireException } from "../exceptions/decide";
import { refundingProvider } from "../exceptions/refunding-provider";
import { callHistory } from "../intents/call-history";
import { refundDigest } from "./digest";
import { requireMember } from "./require-member";

/**
 * Proposes, as a member, to refund the whole of an exception's money through the provider that received it. It is sent once
 * another person has confirmed it; until its end nobody can decide otherwise about the money. `reason` has 1 to 512 characters.
 * Throws not_found for an exception outside the scope, Forbidden without the role or for a caller who is no member, and
 * validation_failed if no provider can refund the money, its exception is resolved, or a refund of it is open.
 */
export async function proposeRefund(context: CallContext, exceptionId: string, reason: string): Promise<StoredRefund> {
  const { scope, actor } = context;
  requireMember(context);
  const text = checkedResolution(reason);
  const act = await decidingAct(context);
  const exception = await requireException(scope, exceptionId);
  orResolved(exception.resolvedAt === null ? exception : null);
  const money = await moneyOf(exception);
  const provider = money && refundingProvider(money);
  if (!money || !provider) {
    throw validationError("id", "names an exception without a payment's money that its provider could send back");
  }
  const payment = await paymentIntents.find(scope, money.intentId);
  if (!payment) throw notFoundError();
  const order = { ...(await orderOf(payment, exception, money)), provider, reason: text };
  const digest = refundDigest({ ...order, proposedBy: actor.id, proposedAt: act.at });
  return insertRefund({ ...order, digest }, actor.id, act).catch((error: unknown) => {
    throw asRefusal(error);
  });
}

/** What is refunded, under a reference that names the payment and the money: the same from every database. */
async function orderOf(payment: PaymentIntent, exception: StoredException, money: SuspenseBooking) {
  const { merchantId, environment, id: paymentId, dispatchReference: paymentReference } = payment;
  const { fact, detail } = exception;
  const [refunds, merchant] = await Promise.all([listRefundsOf(payment, [fact]), findMerchant(merchantId)]);
  if (!merchant) throw notFoundError();
  const earlier = refunds.get(fact) ?? [];
  const ordinal = (earlier.at(-1)?.ordinal ?? 0) + 1;
  const id = newId("suspenseRefund");
  // Only what a provider has refused gets another name: a database that was restored from before repeats the refused one first.
  const refusals = earlier.filter(({ state }) => state === "failed").length;
  const name = `${fact.replaceAll(paymentId, paymentReference)}#${refusals + 1}`;
  const reference = dispatchReferenceFor(merchant, {
    scope: { merchantId, environment },
    kind: "suspenseRefund",
    id,
    merchantReference: name,
  });
  const answered = await answeredReference(payment, money.provider);
  const providerReference = detail.provider_reference ?? answered;
  const receiptId = detail.receipt_id ?? null;
  const about = { exceptionId: exception.id, fact, ordinal, paymentId, paymentReference };
  const { amount, currency } = money;
  return { merchantId, environment, id, ...about, providerReference, receiptId, reference, amount, currency };
}

/**
 * The provider's reference of the payment in its answers. Throws validation_failed if the payment went to another account at the
 * provider than its present one, which cannot send the money back.
 */
async function answeredReference({ merchantId, id }: PaymentIntent, provider: string): Promise<string | null> {
  const gateway = gatewayByName(provider);
  if (!gateway) return null;
  const attempts = await listAttempts(merchantId, id);
  try {
    return callHistory(attempts, gateway, merchantId).earlier?.providerReference ?? null;
  } catch (error) {
    throw error instanceof NeedsOperator ? orRefused("whose money another account at the provider received") : error;
  }
}

function asRefusal(error: unknown): unknown {
  if (isRefusedBy(error, "suspense_refund_exception_is_open")) return orRefused("that is already resolved");
  const isTaken =
    isRefusedBy(error, "suspense_refund_one_per_fact") ||
    isRefusedBy(error, "suspense_refund_merchant_id_environment_fact_ordinal_key") ||
    isRefusedBy(error, "suspense_refund_one_per_reference");
  return isTaken ? orRefused("with a refund that is proposed, on its way or settled") : error;
}

function orRefused(why: string): Error {
  return validationError("id", `names an exception ${why}`);
}
