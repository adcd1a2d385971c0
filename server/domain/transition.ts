// The shape of a decision: a transition plan (what one commit does to one intent), or the reason to change nothing.

import type { BookedMovement } from "./booked-movement";
import type { ExceptionFact } from "./exceptions";
import type { IntentTransaction, LedgerTransaction } from "./ledger";
import type { RoutingDecision } from "./routing";
import type { KnownTotals, TotalStep } from "./topup-step";

/** Status → trigger → next status. A terminal status has an empty row; a status left out does not compile. */
export type TransitionTable<Status extends string, Trigger extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Trigger, Status>>>>
>;

/** Why an intent failed, expired or was cancelled; shown on the intent and in its terminal event (interface §2). */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string | null;
}

/** The closed set of failure codes. Providers' own codes stay on the attempt, for staff only. */
export const FAILURE_CODES = [
  "provider_declined",
  "provider_unavailable",
  "invalid_recipient",
  "underpaid",
  "expired",
  "cancelled",
] as const;
export type FailureCode = (typeof FAILURE_CODES)[number];

/** What every intent has, whatever its kind. `revision` counts changes and guards every write with the status. */
export interface IntentCore<Status extends string> {
  readonly merchantId: string;
  readonly environment: "test" | "live";
  readonly id: string;
  /** The reference under which providers know it: derived from the merchant's own, or the id. */
  readonly dispatchReference: string;
  readonly status: Status;
  readonly revision: number;
  readonly provider: string;
  readonly routing: RoutingDecision;
  readonly failure: Failure | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When the worker next processes the intent; null in terminal states and while only a person can act. */
  readonly dueAt: Date | null;
}

/** A change of one intent, decided purely; `db/commit` writes all of it or nothing. */
export interface Plan<Intent extends IntentCore<string>> {
  readonly before: Intent;
  readonly after: Intent;
  readonly trigger: string;
  /** Type of the outbound event, set on entering a terminal state of a payment or payout (interface §6). */
  readonly eventType: string | null;
  readonly transactions: readonly LedgerTransaction[];
  /** Exceptions that this change opens for a person. */
  readonly exceptions?: readonly ExceptionFact[];
  /** Recorded instead where one of the transactions is booked already while the intent is as it was decided on. */
  readonly ifBooked?: AmbiguousReport;
}

/** Nothing to change, with the reason for the log: a duplicate, late or out-of-order report. */
export interface IgnoredReport {
  readonly kind: "ignored";
  readonly reason: string;
}

/** Money that moved where no transition may follow: booked with an exception, the intent stays as it is. */
export interface UnmatchedFunds {
  readonly kind: "unmatched_funds";
  /** A bank return goes back to the wallet; anything else goes to suspense. */
  readonly reason: "late_money" | "amount_mismatch" | "bank_return";
  readonly transaction: IntentTransaction;
  /** Details that help a person to judge it, in addition to the booking. */
  readonly detail?: ExceptionFact["detail"];
}

/** A report of money that may or may not be booked already: a person decides, and nothing is booked in doubt. */
export interface AmbiguousReport {
  readonly kind: "ambiguous";
  readonly exception: ExceptionFact;
}

/** A report of money whose meaning depends on what is booked of the intent, which is read when the report is recorded. */
export interface BooksDependent<Intent extends IntentCore<string>> {
  readonly kind: "depends_on_books";
  /** Whose movements are compared. */
  readonly provider: string;
  decide(booked: readonly BookedMovement[]): Exclude<Decision<Intent>, BooksDependent<Intent> | ReportedTotal>;
}

/**
 * A report of a total that is booked beside the intent. Providers report totals, so each booking depends on those before
 * it: `next` returns what the books lack given what is known, or null when they lack nothing.
 */
export interface ReportedTotal {
  readonly kind: "total";
  /** False where the top-up asked for another token. */
  readonly isOwnToken: boolean;
  /** The token that the total counts. */
  readonly token: string;
  /** The currency in which it is booked. */
  readonly currency: string;
  /** The total itself, in minor units of the token. */
  readonly reported: bigint;
  /** False where it is what is left of funds that were there. */
  readonly isOfFunds: boolean;
  next(known: KnownTotals): TotalStep | null;
}

/** A report that contradicts what we know of the intent: nothing moves until a person has resolved it. */
export interface Contradiction {
  readonly kind: "contradiction";
  readonly exception: ExceptionFact;
}

export interface PlannedChange<Intent extends IntentCore<string>> {
  readonly kind: "planned";
  readonly plan: Plan<Intent>;
}

export type Decision<Intent extends IntentCore<string>> =
  | PlannedChange<Intent>
  | IgnoredReport
  | UnmatchedFunds
  | AmbiguousReport
  | ReportedTotal
  | Contradiction
  | BooksDependent<Intent>;

/** The later of two instants: `updated_at` never runs backwards, even when a clock does. */
export function notBefore(instant: Date, floor: Date): Date {
  return instant.getTime() < floor.getTime() ? floor : instant;
}

/** True when the table lets nothing leave the status. */
export function isTerminal<Status extends string>(table: TransitionTable<Status, never>, status: Status): boolean {
  return Object.keys(table[status]).length === 0;
}
