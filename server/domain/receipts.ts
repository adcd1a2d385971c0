// What makes two reports of incoming money the same money.
import type { ExceptionFact } from "./exceptions";
import { type IntentTransaction, incomingToSuspense, type Received } from "./ledger";
import type { ProviderSum, ProviderTrace } from "./outcome";

/** Incoming money of a payment as its provider reports it. An empty `reference` means that the report had none. */
export interface Receipt extends Received {
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

/** A receipt of the same provider and intent that is booked. */
export interface BookedReceipt {
  readonly uniqueKey: string;
  readonly currency: string;
  readonly amount: bigint;
  /** The provider's reference where its exception holds it. */
  readonly reference: string | null;
}

function identifiedKey({ intentId, provider, receiptId }: Receipt): string {
  return `receipt_id:${intentId}:${provider}:${receiptId}`;
}

/** The unique key of a payment's credit. */
export function creditKey(receipt: Receipt): string {
  if (receipt.receiptId !== null) return identifiedKey(receipt);
  const { intentId, reference, currency, amount } = receipt;
  return `receipt:${intentId}:${reference}:${currency}:${amount}`;
}

/** Money that no transition may credit. Without an id, one receipt of a sum can be booked: of two at once, one is. */
export function strayReceipt(reason: "late_money" | "amount_mismatch", receipt: Receipt): IntentTransaction {
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
export function receiptDetail({ reference, receiptId }: Receipt): Record<string, string | null> {
  return { provider_reference: reference || null, receipt_id: receiptId };
}

/**
 * Whether a report is of money that is booked. Equal ids are the same money, other ids are not. Where one side has no id,
 * an equal sum under one reference is the same money; any other equal sum may be either.
 */
export function compareReceipts(
  booked: readonly BookedReceipt[],
  receipt: Receipt,
): "booked" | "ambiguous" | "separate" {
  const verdicts = booked.map((one) => compareWith(one, receipt));
  if (verdicts.includes("booked")) return "booked";
  return verdicts.includes("ambiguous") ? "ambiguous" : "separate";
}

function compareWith(booked: BookedReceipt, receipt: Receipt): "booked" | "ambiguous" | "separate" {
  const hasId = booked.uniqueKey.startsWith("receipt_id:");
  if (hasId && receipt.receiptId !== null) {
    return booked.uniqueKey === identifiedKey(receipt) ? "booked" : "separate";
  }
  if (booked.currency !== receipt.currency || booked.amount !== receipt.amount) return "separate";
  const isCertain = receipt.reference !== "" || receipt.receiptId === null;
  return !hasId && isCertain && hasReferenceOf(booked, receipt) ? "booked" : "ambiguous";
}

/** True when a key without an id, or its exception, names the reference; `formerReceipt` puts the provider before it. */
function hasReferenceOf({ uniqueKey, currency, amount, reference }: BookedReceipt, receipt: Receipt): boolean {
  const [start, end] = [`receipt:${receipt.intentId}:`, `:${currency}:${amount}`];
  const name = uniqueKey.slice(start.length, -end.length);
  const former = `${receipt.provider}:`;
  if (name === "" || name === former) return (reference ?? "") === receipt.reference;
  return name === receipt.reference || name === former + receipt.reference;
}

/** The exception of a report that may or may not be of money that is booked. */
export function ambiguousReceipt(receipt: Receipt): ExceptionFact {
  const { intentId, receiptId, reference, currency, amount } = receipt;
  return {
    kind: "ambiguous_receipt",
    objectId: intentId,
    fact: `ambiguous_receipt:${intentId}:${receiptId ?? reference}:${currency}:${amount}`,
    detail: { amount: amount.toString(), currency, ...receiptDetail(receipt) },
  };
}
