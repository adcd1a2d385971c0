// What the end of a top-up books: the credit, what a policy keeps in suspense, and funds that came late with the last report.
import { bookedException, type ExceptionFact } from "./exceptions";
import type { CreditTerms } from "./fx";
import type { IntentTransaction } from "./ledger";
import { topupCredit, topupRest } from "./ledger-topups";
import { divideFunds, valueOf } from "./topup-funds";
import { lateBooking } from "./topup-late";
import type { TopupPolicies, TopupPolicy } from "./topup-terms";
import type { TopupTotals } from "./topup-totals";

/** Transactions of one change, and the exceptions that it opens. */
export interface Bookings {
  readonly transactions: readonly IntentTransaction[];
  readonly exceptions: readonly ExceptionFact[];
}

export const NOTHING_BOOKED: Bookings = { transactions: [], exceptions: [] };

interface Terms extends CreditTerms {
  readonly id: string;
  readonly policies: TopupPolicies;
}

export function both(one: Bookings, other: Bookings): Bookings {
  return {
    transactions: [...one.transactions, ...other.transactions],
    exceptions: [...one.exceptions, ...other.exceptions],
  };
}

/** The credit of a success, and in suspense what the overpayment policy keeps apart. */
export function creditBooked(
  terms: Terms,
  { receivedAmount }: TopupTotals,
): { readonly creditedAmount: bigint; readonly booked: Bookings } {
  const { credited, rest } = divideFunds(receivedAmount, terms);
  const transaction = topupCredit({ id: terms.id, currency: terms.destinationCurrency }, credited, rest);
  const creditedAmount = credited.credit;
  if (rest > 0n) return { creditedAmount, booked: inSuspense(transaction, terms.policies.overpayment, "overpaid") };
  const transactions = transaction.entries.length > 0 ? [transaction] : [];
  return { creditedAmount, booked: { transactions, exceptions: [] } };
}

/** What an end without a credit leaves in suspense; `why` is its failure code. */
export function restBooked(terms: Terms, { receivedAmount }: TopupTotals, why: string): Bookings {
  const amount = valueOf(receivedAmount, terms);
  if (amount <= 0n) return NOTHING_BOOKED;
  const rest = topupRest({ id: terms.id, currency: terms.destinationCurrency, amount });
  return inSuspense(rest, terms.policies.underpayment, why);
}

/** Confirmed funds beyond all that was seen in time: the report that ends the top-up can bring late funds as well. */
export function lateBooked(terms: Terms, { seenAmount: from, reportedAmount: to }: TopupTotals): Bookings {
  const value = valueOf(to, terms) - valueOf(from, terms);
  if (value <= 0n) return NOTHING_BOOKED;
  const { transaction, exception } = lateBooking(terms, { from, to, value }, "end");
  return { transactions: [transaction], exceptions: exception ? [exception] : [] };
}

function inSuspense(transaction: IntentTransaction, policy: TopupPolicy, why: string): Bookings {
  return {
    transactions: [transaction],
    exceptions: [bookedException("amount_mismatch", transaction, { why, policy })],
  };
}
