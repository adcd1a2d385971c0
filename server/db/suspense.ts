// Owns money in suspense: what one booking put there, and letting it go together with its exception.
import type { IntentTransaction } from "@/server/domain/ledger";
import type { CallContext, Scope } from "@/server/domain/scope";
import type { Settlement } from "@/server/domain/suspense";
import type { Act } from "./audit/record";
import { prisma, query } from "./client";
import { bookWithin } from "./commit/book-within";
import { resolveExceptionWithin, type StoredException } from "./exceptions";
import { isLockConflict, isRefusedBy } from "./failures";

export interface SuspenseBooking {
  readonly intentId: string;
  readonly reason: string;
  readonly currency: string;
  /** Minor units; below zero where suspense is short of them. */
  readonly amount: bigint;
}

/** What the bookings of those keys put into suspense, by key; a booking that put nothing there has none. */
export async function findSuspenseBookings(
  scope: Scope,
  uniqueKeys: readonly string[],
): Promise<ReadonlyMap<string, SuspenseBooking>> {
  type Row = { unique_key: string; intent_id: string; reason: string; currency: string; amount: string };
  const rows = await query<Row>(
    `SELECT t.unique_key, t.intent_id, t.reason, e.currency, e.amount::text
     FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND e.kind = 'suspense'
     WHERE t.merchant_id = $1 AND t.environment = $2 AND t.unique_key = ANY($3::text[]) AND t.intent_id IS NOT NULL`,
    scope.merchantId,
    scope.environment,
    uniqueKeys,
  );
  return new Map(
    rows.map(({ unique_key: key, intent_id: intentId, reason, currency, amount }) => [
      key,
      { intentId, reason, currency, amount: BigInt(amount) },
    ]),
  );
}

export interface SettlementOrder {
  readonly as: Settlement;
  readonly resolution: string;
  readonly transaction: IntentTransaction;
  readonly context: CallContext;
}

const LOCK_CONFLICT_RETRIES = 5;

/**
 * Resolves the exception and books what becomes of its money, both or neither. resolved_before: somebody was faster.
 * insufficient_balance: the wallet does not hold what is to be taken from it.
 */
export async function settleException(
  exception: StoredException,
  { as, resolution, transaction, context }: SettlementOrder,
  act: Act,
): Promise<StoredException | "resolved_before" | "insufficient_balance"> {
  const effects = { context, action: `suspense.${as}` };
  for (let retry = 0; ; retry += 1) {
    try {
      return await prisma().$transaction(async (within) => {
        const resolved = await resolveExceptionWithin(within, exception, resolution, act, as);
        if (!resolved) return "resolved_before";
        await bookWithin(within, [{ transaction, objectId: transaction.intentId, effects }], act.at);
        return resolved;
      });
    } catch (error) {
      if (isRefusedBy(error, "ledger_account_never_negative")) return "insufficient_balance";
      if (!isLockConflict(error) || retry === LOCK_CONFLICT_RETRIES) throw error;
    }
  }
}
