// What makes two reports of money the same money.
import type { BookedMovement } from "./booked-movement";
import { isByHand } from "./journal";
import { type IntentTransaction, incomingToSuspense, type ReceivedFunds } from "./ledger";
import type { ProviderSum, ProviderTrace } from "./outcome";
import type { AmbiguousReport, BooksDependent, IntentCore, PlannedChange, UnmatchedFunds } from "./transition";

/**
 * Money as its provider reports it: above zero what came in, below zero what left. An empty `reference` means that the report
 * had none.
 */
export interface Receipt extends ReceivedFunds {
  readonly provider: string;
  /** The provider's id of this very money; null from a provider that sends none (version 1 of the protocol). */
  readonly receiptId: string | null;
}

/** The receipt that a provider reports for an intent. */
export function receiptOf(
  { id: intentId, provider }: { readonly id: string; readonly provider: string },
  report: ProviderSum & ProviderTrace & { readonly receiptId: string | null },
): Receipt {
  const { receiptId, providerReference, currency, amount } = report;
  return { intentId, provider, receiptId, reference: providerReference ?? "", currency, amount };
}

function identifiedKey({ intentId, provider, receiptId }: Receipt): string {
  return `receipt_id:${intentId}:${provider}:${receiptId}`;
}

/** Returns the provider's id of the receipt that is booked under the key for the intent; null for any other booking. */
export function receiptIdOf(
  uniqueKey: string,
  { id, provider }: { readonly id: string; readonly provider: string },
): string | null {
  const prefix = `receipt_id:${id}:${provider}:`;
  return uniqueKey.startsWith(prefix) ? uniqueKey.slice(prefix.length) : null;
}

/** The unique key of a payment's credit. */
export function creditKey(receipt: Receipt): string {
  if (receipt.receiptId !== null) return identifiedKey(receipt);
  const { intentId, reference, currency, amount } = receipt;
  return `receipt:${intentId}:${reference}:${currency}:${amount}`;
}

/** Money that no transition may credit. Without an id, one receipt of a sum can be booked: of two at once, one is. */
export function unmatchedReceipt(reason: "late_money" | "amount_mismatch", receipt: Receipt): IntentTransaction {
  const uniqueKey = creditKey({ ...receipt, reference: "" });
  return incomingToSuspense(reason, uniqueKey, receipt);
}

/** As `strayReceipt`, of a provider that the intent has left: under its name, so that it is no receipt of another's. */
export function formerReceipt(receipt: Receipt): IntentTransaction {
  const { provider } = receipt;
  const uniqueKey = creditKey({ ...receipt, reference: `${provider}:` });
  return { ...incomingToSuspense("late_money", uniqueKey, receipt), provider };
}

/** What helps a person to judge a receipt. */
function receiptDetail({ reference, receiptId }: Receipt): Record<string, string | null> {
  return { provider_reference: reference || null, receipt_id: receiptId };
}

/** Whether a report is of money that is booked. */
export type Sameness = "booked" | "ambiguous" | "separate";

/**
 * Records a receipt that no transition credits: `book` is what it means where it is money that is not booked yet. Money that may
 * be booked is a person's to judge.
 */
export function unlessBooked<Intent extends IntentCore<string>>(
  receipt: Receipt,
  compare: (booked: readonly BookedMovement[], receipt: Receipt) => Sameness,
  book: () => UnmatchedFunds | PlannedChange<Intent>,
): BooksDependent<Intent> {
  return {
    kind: "depends_on_books",
    provider: receipt.provider,
    decide: (booked) => {
      switch (compare(booked, receipt)) {
        case "booked":
          return { kind: "ignored", reason: "this money is booked already" };
        case "ambiguous":
          return ambiguousReceipt(receipt);
        case "separate":
          return book();
      }
    },
  };
}

/** Keeps a receipt of a payment apart, unless it is booked. */
export function keepReceipt<Intent extends IntentCore<string>>(
  reason: "late_money" | "amount_mismatch",
  receipt: Receipt,
  transaction = unmatchedReceipt(reason, receipt),
): BooksDependent<Intent> {
  const detail = receiptDetail(receipt);
  return unlessBooked(receipt, compareReceipts, () => ({ kind: "unmatched_funds", reason, transaction, detail }));
}

/**
 * Whether a report is of money that is booked. Equal ids are the same money, other ids are not; two sums under one id
 * may be a correction or more money. Where one side has no id, an equal sum under one reference is the same money; any other
 * equal sum may be either. Once operators have booked money of the intent by hand, so may each report of money that is not booked.
 */
export function compareReceipts(booked: readonly BookedMovement[], receipt: Receipt): Sameness {
  const verdicts = reportedOf(booked).map((one) => compareWith(one, receipt));
  return samenessOf(verdicts, booked.some(isByHand));
}

/** The movements that a report has booked. */
export function reportedOf(booked: readonly BookedMovement[]): readonly BookedMovement[] {
  return booked.filter((one) => !isByHand(one));
}

/** What comparisons with each report come to; `isAnyByHand` if money of the intent was booked by hand. */
export function samenessOf(verdicts: readonly Sameness[], isAnyByHand: boolean): Sameness {
  if (verdicts.includes("booked")) return "booked";
  return isAnyByHand || verdicts.includes("ambiguous") ? "ambiguous" : "separate";
}

function compareWith(booked: BookedMovement, receipt: Receipt): Sameness {
  const hasId = booked.uniqueKey.startsWith("receipt_id:");
  const isEqual = booked.currency === receipt.currency && booked.amount === receipt.amount;
  if (hasId && receipt.receiptId !== null) {
    if (booked.uniqueKey !== identifiedKey(receipt)) return "separate";
    return isEqual ? "booked" : "ambiguous";
  }
  if (!isEqual) return "separate";
  const isCertain = receipt.reference !== "" || receipt.receiptId === null;
  return isCertain && hasReferenceOf(booked, receipt) ? "booked" : "ambiguous";
}

/** True when a key without an id, or its exception, names the reference; `formerReceipt` puts the provider before it. */
function hasReferenceOf({ uniqueKey, currency, amount, reference }: BookedMovement, receipt: Receipt): boolean {
  const [start, end] = [`receipt:${receipt.intentId}:`, `:${currency}:${amount}`];
  if (!uniqueKey.startsWith(start)) return false;
  const name = uniqueKey.slice(start.length, -end.length);
  const former = `${receipt.provider}:`;
  if (name === "" || name === former) return (reference ?? "") === receipt.reference;
  return name === receipt.reference || name === former + receipt.reference;
}

/** A receipt that may be booked already. */
export function ambiguousReceipt(receipt: Receipt): AmbiguousReport {
  const { intentId, provider, receiptId, reference, currency, amount } = receipt;
  return {
    kind: "ambiguous",
    exception: {
      kind: "ambiguous_receipt",
      objectId: intentId,
      fact: `ambiguous_receipt:${intentId}:${provider}:${receiptId ?? reference}:${currency}:${amount}`,
      detail: { amount: amount.toString(), currency, ...receiptDetail(receipt) },
    },
  };
}
