// Payouts from one file: what becomes of each of its lines.

/** The most lines of one file. */
export const MAXIMUM_LINES = 200;
/** The most characters of one file. */
export const LONGEST_FILE = 48_000;

/** The columns of a file, in any order; the last may be absent. */
export const BATCH_COLUMNS = ["account_number", "bank_code", "currency", "amount", "reference", "holder_name"] as const;
export type BatchColumn = (typeof BATCH_COLUMNS)[number];
export const OPTIONAL_BATCH_COLUMN: BatchColumn = "holder_name";

/** create: a new payout. exists: this payout was created before. rejected: see the message. */
type LineVerdict = "create" | "exists" | "rejected";

export interface BatchLine {
  /** Its number in the file; the header is 1. */
  readonly line: number;
  /** Of the saved recipient; null without one. */
  readonly recipientId: string | null;
  /** The name of the saved recipient, or as typed. */
  readonly holderName: string;
  /** The last four characters of the account as typed. */
  readonly accountLast4: string;
  readonly bankCode: string;
  readonly currency: string;
  /** In minor units; null unless it is an amount. */
  readonly amount: bigint | null;
  readonly reference: string;
  readonly verdict: LineVerdict;
  /** Why it is rejected. */
  readonly message: string | null;
  /** The payout that exists. */
  readonly payoutId: string | null;
}
