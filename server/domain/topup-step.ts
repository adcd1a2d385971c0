import type { ExceptionFact } from "./exceptions";
import type { IntentTransaction } from "./ledger";

/** A transaction with its exception, where a person must decide about it. */
export interface Booking {
  readonly transaction: IntentTransaction;
  readonly exception: ExceptionFact | null;
}

/** What is recorded beside a top-up about the totals of one token. */
export interface KnownTotals {
  /** Number of steps recorded for the top-up, of any token. */
  readonly ordinal: number;
  /** The total seen in time, by the last recorded step of the token; minor units. Null before the first. */
  readonly seen: bigint | null;
  /** The largest confirmed total, by the recorded steps; minor units of the token. */
  readonly reported: bigint;
  /** What is booked beside the intent as received, in minor units of the currency it is booked in. */
  readonly taken: bigint;
  /** What is booked as gone. */
  readonly dropped: bigint;
  /** When a person last decided that dropped funds had come after all, in the merchant's time; null for never. */
  readonly restoredAt: Date | null;
}

/** One step: the totals as they are now known and the booking of what the books lacked, both or neither. */
export interface TotalStep {
  /** How the audit log names it. */
  readonly action: string;
  /** The confirmed total that the booking starts from; minor units of the token, like the two below. */
  readonly base: bigint;
  readonly reported: bigint;
  readonly seen: bigint;
  readonly booking: Booking | null;
}
