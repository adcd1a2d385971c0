// The ends of refunds, each in one commit with the exception and the booking that follow from it.
import { bookedException } from "@/server/domain/exceptions";
import { type IntentTransaction, returnedRefund, settledFromSuspense } from "@/server/domain/ledger";
import type { CallContext } from "@/server/domain/scope";
import type { Act } from "./audit/record";
import { openClearingAccounts } from "./clearing-accounts";
import { inTransaction } from "./client";
import { bookWithin } from "./commit/book-within";
import { findOpenByFactWithin, openExceptionsWithin, resolveExceptionWithin } from "./exceptions";
import { isRefusedBy } from "./failures";
import { decideWithin, type StoredResolution } from "./manual-resolutions";
import { type EndByHand, endRefundWithin, type StoredRefund } from "./suspense-refunds";
import type { Transaction } from "./transaction";

/** Who ends a refund, and when. */
export interface RefundEnd {
  readonly context: CallContext;
  readonly act: Act;
}

interface Settlement extends RefundEnd {
  /** When to ask first whether the money came back; null for never. */
  readonly dueAt: Date | null;
}

/** The booking by which a settled refund leaves suspense. */
function settlementOf({ fact, paymentId: intentId, provider, currency, amount }: StoredRefund): IntentTransaction {
  return { ...settledFromSuspense(fact, { intentId, currency, amount }, { to: "provider_clearing" }), provider };
}

/** The payer has the money: it leaves suspense, and its exception is resolved as refunded. False if the refund has ended before. */
export async function settleRefund(refund: StoredRefund, end: Settlement): Promise<boolean> {
  await openClearingAccounts(end.context.scope, [settlementOf(refund)]);
  return inTransaction((within) => settleWithin(within, refund, end, null));
}

async function settleWithin(
  within: Transaction,
  refund: StoredRefund,
  { context, act, dueAt }: Settlement,
  byHand: EndByHand | null,
): Promise<boolean> {
  if (!(await endRefundWithin(within, refund, "settled", act, { byHand, dueAt }))) return false;
  const opened = await findOpenByFactWithin(within, refund.environment, [refund.fact]);
  const exception = opened.find(({ id }) => id === refund.exceptionId);
  if (!exception || !(await resolveExceptionWithin(within, exception, refund.reason, act, "refund"))) {
    throw new Error(`the exception of ${refund.id} is no longer open`);
  }
  await bookEffect(within, settlementOf(refund), "suspense.refund", { context, act });
  return true;
}

/** The provider certainly did not refund it: the money stays in suspense, and people decide on it again. */
export function failRefund(refund: StoredRefund, { act }: RefundEnd): Promise<boolean> {
  return inTransaction(async (within) => (await endRefundWithin(within, refund, "failed", act)) !== null);
}

class EndedBefore extends Error {}

/**
 * Ends a refund as a resolution says, in one commit with the confirmation of it. Returns what came first instead, and changes
 * nothing then: another decision on the resolution, or another end of the refund. Refused as `endRefundWithin` is.
 */
export async function resolveRefund(
  refund: StoredRefund,
  resolution: StoredResolution,
  end: Settlement,
): Promise<"ended" | "decided_before" | "ended_before"> {
  const byHand = { calls: resolution.intentRevision, evidence: resolution.evidence };
  const isSettled = resolution.outcome === "settled";
  if (isSettled) await openClearingAccounts(end.context.scope, [settlementOf(refund)]);
  try {
    return await inTransaction(async (within) => {
      if (!(await decideWithin(within, resolution, "confirmed", end.act))) return "decided_before";
      const isEnded = isSettled
        ? await settleWithin(within, refund, end, byHand)
        : await endRefundWithin(within, refund, "failed", end.act, { byHand });
      // Takes the confirmation back, too.
      if (!isEnded) throw new EndedBefore();
      return "ended";
    });
  } catch (error) {
    if (error instanceof EndedBefore) return "ended_before";
    throw error;
  }
}

/**
 * A settled refund came back: the money is in suspense again, with an exception of its own. not_settled: it has come back before.
 * books_changed: another booking of its payment has taken the ordinal since the caller read the books.
 */
export async function returnRefund(
  refund: StoredRefund,
  movementOrdinal: number,
  { context, act }: RefundEnd,
): Promise<"returned" | "not_settled" | "books_changed"> {
  const { id, paymentId: intentId, provider, currency, amount, providerReference, receiptId } = refund;
  const transaction = { ...returnedRefund(id, { intentId, currency, amount }, provider), movementOrdinal };
  const detail = { why: "A refund came back.", provider_reference: providerReference, receipt_id: receiptId };
  await openClearingAccounts(context.scope, [transaction]);
  const work = async (within: Transaction) => {
    if (!(await endRefundWithin(within, refund, "returned", act))) return "not_settled" as const;
    const exception = { ...bookedException("late_money", transaction, detail), scope: context.scope };
    await openExceptionsWithin(within, [exception], act.at);
    await bookEffect(within, transaction, "suspense.late_money", { context, act });
    return "returned" as const;
  };
  try {
    return await inTransaction(work);
  } catch (error) {
    if (isRefusedBy(error, "ledger_transaction_movement_ordinal_key")) return "books_changed";
    throw error;
  }
}

function bookEffect(within: Transaction, transaction: IntentTransaction, action: string, { context, act }: RefundEnd) {
  return bookWithin(within, [{ transaction, objectId: transaction.intentId, effects: { context, action } }], act.at);
}
