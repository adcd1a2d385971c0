// A line of a provider's settlement file, and what it can come to.

/** The most lines and characters of a file that a member uploads; a request of the dashboard has at most 64 KiB. */
export const MOST_UPLOADED_LINES = 500;
export const LONGEST_UPLOAD = 56_000;

/** The columns of a file, in any order; further ones are ignored. */
export const SETTLEMENT_COLUMNS = [
  "line_id",
  "kind",
  "reference",
  "provider_reference",
  "amount",
  "currency",
  "fee",
  "settled_at",
] as const;

export const LINE_KINDS = ["payment", "payout", "topup", "refund", "fee", "bank_credit", "bank_debit"] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/**
 * What a line is against our books. matched: a movement of ours, to the unit. amount_mismatch: a movement of ours with
 * another sum. missing_internal: our books have nothing like it. duplicate: what it settles is settled by another line.
 * fee: a charge of the provider's. bank: it settles the other lines of its batch through the operator's bank account.
 */
export const LINE_VERDICTS = ["matched", "amount_mismatch", "missing_internal", "duplicate", "fee", "bank"] as const;
export type LineVerdict = (typeof LINE_VERDICTS)[number];

/** A line as the provider wrote it; sums in minor units of `currency`. */
export interface SettlementLine {
  /** Line number in the file, the header being 1. */
  readonly row: number;
  /** Names what the line says: two lines that say the same have the same. */
  readonly digest: string;
  /** Its digest in the operator's import, where a member's upload gives it another. */
  readonly operatorsDigest?: string;
  /** The provider's own name for the line. */
  readonly lineId: string;
  readonly kind: LineKind;
  /** The dispatch reference of our intent; null where the provider names none. */
  readonly reference: string | null;
  readonly providerReference: string | null;
  readonly amount: bigint;
  readonly currency: string;
  /** What the provider kept of it for itself. */
  readonly fee: bigint;
  readonly settledAt: Date;
  /** Names the bank transfer that settles the line; null where the whole file is one batch per currency. */
  readonly batch: string | null;
}
