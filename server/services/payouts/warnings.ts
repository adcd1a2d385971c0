// Warns approvers of a payout whose recipient was never paid, or that repeats another.
import { findPayoutWarnings } from "@/server/db/payout-warnings";
import type { Scope } from "@/server/domain/scope";

/** A payout of the same sum to the same account within this many days, before or after, may be the same invoice. */
const REPEATED_WITHIN_DAYS = 7;

export interface PayoutWarnings {
  readonly payoutId: string;
  /** No payout to this account, bank and holder has ever succeeded. */
  readonly isFirstTimeRecipient: boolean;
  /** The latest other payout of the same sum to the same account, unless it was cancelled or failed. */
  readonly repeated: { readonly id: string; readonly createdAt: Date } | null;
}

/** The warnings about those of the payouts that await approval. Others, and those of other scopes, are left out. */
export async function payoutWarnings(scope: Scope, payoutIds: readonly string[]): Promise<PayoutWarnings[]> {
  const rows = await findPayoutWarnings(scope, payoutIds, REPEATED_WITHIN_DAYS);
  return rows.map(({ payoutId, isFirstTimeRecipient, repeatedId: id, repeatedAt: createdAt }) => ({
    payoutId,
    isFirstTimeRecipient,
    repeated: id !== null && createdAt !== null ? { id, createdAt } : null,
  }));
}
