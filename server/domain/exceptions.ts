// Exceptions: the closed list of kinds, and how a fact opens at most one.
import type { IntentTransaction } from "./ledger";

/** The most that a member decides on together. */
export const MOST_EXCEPTIONS_AT_ONCE = 50;

export const EXCEPTION_KINDS = [
  /** Money came after the intent had ended; it is in suspense. */
  "late_money",
  /** A sum that differs from ours, reported by the provider (in suspense) or in its settlement file. */
  "amount_mismatch",
  /** A payout came back after it had succeeded; the wallet has the money again. */
  "bank_return",
  /** Funds of a top-up that were gone after they had been credited; suspense is short of them. */
  "funds_dropped",
  /** An intent that does not end without a person. */
  "stuck",
  /** The settlement file has a line that our books do not have. */
  "missing_internal",
  /** Our books have a movement that the settlement file of its time does not have. */
  "missing_external",
  /** The settlement file lists one of our movements a second time. */
  "duplicate",
  /** A fee that names no intent, so it belongs to no merchant. */
  "unassigned_fee",
  /** A provider reported incoming money that may or may not be the receipt already booked; nothing was booked. */
  "ambiguous_receipt",
  /** A provider contradicts its own earlier answer or our intent; nothing was sent, settled, failed or released. */
  "contradiction",
  /** A signed callback that could not be applied: unreadable, unmatched, or failing every time. */
  "unapplied_callback",
  /** The operator's screener holds a payout; it is not sent before a person decides. */
  "screening_hold",
] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

/** Whether an exception still waits for a person. */
export const EXCEPTION_STATES = ["open", "resolved"] as const;
export type ExceptionState = (typeof EXCEPTION_STATES)[number];

/** The merchant id of an exception that belongs to no merchant. */
export const NOBODY = "";

/** What opens an exception. */
export interface ExceptionFact {
  readonly kind: ExceptionKind;
  /** What it is about: an intent, or the reference a provider gave. */
  readonly objectId: string;
  /** Identifies the fact: repeated reports of it open one exception per merchant and environment. */
  readonly fact: string;
  /** What helps to judge it, in wire names; sums in minor units as text. */
  readonly detail: Readonly<Record<string, string | null>>;
}

/** The exception of money that was booked outside any regular course; `more` helps to judge it. */
export function bookedException(
  kind: Extract<ExceptionKind, "late_money" | "amount_mismatch" | "bank_return" | "funds_dropped">,
  transaction: IntentTransaction,
  more: ExceptionFact["detail"] = {},
): ExceptionFact {
  const { entries } = transaction;
  const into = entries.find(({ account }) => account === "suspense") ?? entries[1];
  if (!into) throw new RangeError("a booking has two entries at least");
  return {
    kind,
    objectId: transaction.intentId,
    fact: transaction.uniqueKey,
    detail: { booked_to: into.account, amount: into.amount.toString(), currency: into.currency, ...more },
  };
}

/** Why an intent does not end without a person. */
export type StuckReason = "standstill" | "forgotten" | "impassable" | "undecided" | "unscreened" | "unmapped";

/**
 * The exception of an intent that does not end without a person; `why` is for people. It names a state, not an occurrence: while
 * the state lasts, the exception opens again after a person has resolved it.
 */
export function stuckException(intentId: string, reason: StuckReason, why: string): ExceptionFact {
  return { kind: "stuck", objectId: intentId, fact: `stuck:${intentId}:${reason}`, detail: { why } };
}

/** The exception of a report that contradicts what we know of the intent; lasts and opens again as `stuckException`. */
export function contradictionException(
  intentId: string,
  reason: string,
  detail: ExceptionFact["detail"],
): ExceptionFact {
  return { kind: "contradiction", objectId: intentId, fact: `contradiction:${intentId}:${reason}`, detail };
}

/** An intent that has stood still this long, and this long after its window ended, is stuck. */
const STANDSTILL_MS = 24 * 60 * 60 * 1000;

/** The exception of an open intent at which nothing has happened for a day; null while that is in order. */
export function stalledException(
  intent: { readonly id: string; readonly status: string; readonly updatedAt: Date; readonly expiresAt?: Date },
  now: Date,
): ExceptionFact | null {
  const since = Math.max(intent.updatedAt.getTime(), intent.expiresAt?.getTime() ?? 0);
  if (now.getTime() - since < STANDSTILL_MS) return null;
  return stuckException(intent.id, "standstill", `The intent has been ${intent.status} for a day without a change.`);
}
