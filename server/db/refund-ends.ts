// The ends of refunds, each in one commit with the exception and the booking that follow from it.
import { bookedException } from "@/server/domain/exceptions";
import { type IntentTransaction, returnedRefund, settledFromSuspense } from "@/server/domain/ledger";
import type { CallContext } from "@/server/domain/scope";
import type { Act } from "./audit/record";
import { openClearingAccounts } from "./clearing-accounts";
import { inTransaction } from "./client";
import { bookWithin } from "./commit/book-within";
import { findOpenByFactWithin, openExceptionsWithin, resolveExceptionWithin } from "./exceptions";
import { endRefundWithin, type StoredRefund } from "./suspense-refunds";
import type { Transaction } from "./transaction";

interface End {
  readonly context: CallContext;
  readonly act: Act;
}

/** The payer has the money: it leaves suspense, and its exception is resolved as refunded. False if the refund has ended before. */
export async function settleRefund(refund: StoredRefund, { context, act }: End): Promise<boolean> {
  const { fact, paymentId: intentId, provider, currency, amount } = refund;
  const posting = settledFromSuspense(fact, { intentId, currency, amount }, { to: "provider_clearing" });
  const transaction = { ...posting, provider };
  await openClearingAccounts(context.scope, [transaction]);
  return inTransaction(async (within) => {
    if (!(await endRefundWithin(within, refund, "settled", act))) return false;
    const opened = await findOpenByFactWithin(within, refund.environment, [fact]);
    const exception = opened.find(({ id }) => id === refund.exceptionId);
    if (!exception || !(await resolveExceptionWithin(within, exception, refund.reason, act, "refund"))) {
      throw new Error(`the exception of ${refund.id} is no longer open`);
    }
    await bookEffect(within, transaction, "suspense.refund", { context, act });
    return true;
  });
}

/** The provider certainly did not refund it: the money stays in suspense, and people decide on it again. */
export function failRefund(refund: StoredRefund, { act }: End): Promise<boolean> {
  return inTransaction(async (within) => (await endRefundWithin(within, refund, "failed", act)) !== null);
}

/** A settled refund came back: the money is in suspense again, with an exception of its own. */
export async function returnRefund(refund: StoredRefund, { context, act }: End): Promise<boolean> {
  const { id, paymentId: intentId, provider, currency, amount, providerReference, receiptId } = refund;
  const transaction = returnedRefund(id, { intentId, currency, amount }, provider);
  const detail = { why: "A refund came back.", provider_reference: providerReference, receipt_id: receiptId };
  await openClearingAccounts(context.scope, [transaction]);
  return inTransaction(async (within) => {
    if (!(await endRefundWithin(within, refund, "returned", act))) return false;
    const exception = { ...bookedException("late_money", transaction, detail), scope: context.scope };
    await openExceptionsWithin(within, [exception], act.at);
    await bookEffect(within, transaction, "suspense.late_money", { context, act });
    return true;
  });
}

function bookEffect(within: Transaction, transaction: IntentTransaction, action: string, { context, act }: End) {
  return bookWithin(within, [{ transaction, objectId: transaction.intentId, effects: { context, action } }], act.at);
}
