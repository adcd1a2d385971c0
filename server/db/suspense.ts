// Money in suspense: what one booking put there, and letting it go together with its exception.
import type { IntentTransaction } from "@/server/domain/ledger";
import type { CallContext, Scope } from "@/server/domain/scope";
import type { Settlement } from "@/server/domain/suspense";
import type { Act } from "./audit/record";
import { nextOrdinalWithin } from "./booked-movements";
import { openClearingAccounts } from "./clearing-accounts";
import { inTransaction, query } from "./client";
import { bookWithin } from "./commit/book-within";
import { resolveExceptionWithin, type StoredException } from "./exceptions";
import { isRefusedBy } from "./failures";
import type { Transaction } from "./transaction";

export interface SuspenseBooking {
  readonly intentId: string;
  /** Through which provider the money came or went. */
  readonly provider: string;
  readonly reason: string;
  readonly currency: string;
  /** Minor units; below zero where suspense is short of them. */
  readonly amount: bigint;
}

const intentProvider = (table: string) =>
  `(SELECT i.provider FROM ${table} i WHERE i.merchant_id = t.merchant_id AND i.id = t.intent_id)`;

/** The provider of a transaction's clearing entry; entries from before accounts were kept per provider name none. */
const PROVIDER = `coalesce(
  (SELECT nullif(split_part(c.kind, ':', 2), '') FROM ledger_entry c
   WHERE c.merchant_id = t.merchant_id AND c.transaction_id = t.id AND starts_with(c.kind, 'provider_clearing') LIMIT 1),
  ${["payment_intent", "payout_intent", "topup_intent"].map(intentProvider).join(", ")})`;

/** What the bookings of those keys put into suspense, by key; a booking that put nothing there has none. */
export async function findSuspenseBookings(
  scope: Scope,
  uniqueKeys: readonly string[],
): Promise<ReadonlyMap<string, SuspenseBooking>> {
  type Row = Omit<SuspenseBooking, "intentId" | "amount"> & { unique_key: string; intent_id: string; amount: string };
  const rows = await query<Row>(
    `SELECT t.unique_key, t.intent_id, t.reason, e.currency, e.amount::text, ${PROVIDER} AS provider
     FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND e.kind = 'suspense'
     WHERE t.merchant_id = $1 AND t.environment = $2 AND t.unique_key = ANY($3::text[]) AND t.intent_id IS NOT NULL`,
    scope.merchantId,
    scope.environment,
    uniqueKeys,
  );
  return new Map(
    rows.map(({ unique_key: key, intent_id: intentId, amount, ...rest }) => [
      key,
      { ...rest, intentId, amount: BigInt(amount) },
    ]),
  );
}

/** Rounds of a decision: one is lost when a booking of its intent is made at the same moment. */
const ROUNDS = 10;

/** Takes a decision back of which a part had been done already. */
class ReturnedBefore extends Error {}

/** Transactions of the intent $2, those of entries by hand included. */
const OF_INTENT = `
  SELECT id FROM ledger_transaction WHERE merchant_id = $1 AND intent_id = $2
  UNION
  SELECT id FROM ledger_transaction
  WHERE merchant_id = $1 AND coalesce(intent_id, journaled_intent_id) = $2 AND movement_ordinal IS NOT NULL`;

/** True if more of a payout would be back at its provider than has left it. */
async function isMoreBackWithin(
  within: Transaction,
  { merchantId }: Scope,
  { intentId, entries }: IntentTransaction,
): Promise<boolean> {
  const restored = entries.find(({ account }) => account === "provider_clearing");
  if (!restored) return false;
  const rows = await within.query(
    `SELECT FROM payout_intent i
     JOIN ledger_entry e ON e.merchant_id = i.merchant_id AND starts_with(e.kind, 'provider_clearing') AND e.currency = $3
     JOIN (${OF_INTENT}) t ON t.id = e.transaction_id
     WHERE i.merchant_id = $1 AND i.id = $2
     HAVING sum(e.amount) + $4::numeric < 0`,
    merchantId,
    intentId,
    restored.currency,
    restored.amount,
  );
  return rows.length > 0;
}

export interface SettlementOrder {
  readonly as: Settlement;
  readonly resolution: string;
  readonly transaction: IntentTransaction;
  readonly context: CallContext;
}

/**
 * Resolves the exception and books what becomes of its money, both or neither. resolved_before: somebody was faster.
 * insufficient_balance: the wallet does not hold what is to be taken from it. refund_open: a refund of the money is proposed or on
 * its way. returned_before: the money of a payout is not there twice, and its return is booked.
 */
export async function settleException(
  exception: StoredException,
  { as, resolution, transaction, context }: SettlementOrder,
  act: Act,
): Promise<StoredException | "resolved_before" | "insufficient_balance" | "refund_open" | "returned_before"> {
  const effects = { context, action: `suspense.${as}` };
  const movesThroughProvider = transaction.entries.some(({ account }) => account === "provider_clearing");
  await openClearingAccounts(context.scope, [transaction]);
  const settle = () =>
    inTransaction(async (within) => {
      const resolved = await resolveExceptionWithin(within, exception, resolution, act, as);
      if (!resolved) return "resolved_before";
      // A report that is decided on at this moment takes the same number: one of the two is refused, and done again.
      const place = movesThroughProvider && {
        movementOrdinal: await nextOrdinalWithin(within, context.scope, transaction),
      };
      if (as === "restore" && (await isMoreBackWithin(within, context.scope, transaction))) throw new ReturnedBefore();
      const booked = { ...transaction, ...place };
      await bookWithin(within, [{ transaction: booked, objectId: transaction.intentId, effects }], act.at);
      return resolved;
    });
  for (let round = 1; ; round += 1) {
    try {
      return await settle();
    } catch (error) {
      if (error instanceof ReturnedBefore) return "returned_before";
      if (isRefusedBy(error, "ledger_account_never_negative")) return "insufficient_balance";
      if (isRefusedBy(error, "exception_refund_is_over")) return "refund_open";
      if (round === ROUNDS || !isRefusedBy(error, "ledger_transaction_movement_ordinal_key")) throw error;
    }
  }
}

/** True while a refund of this payment is proposed or under way. */
export async function hasOpenRefund(merchantId: string, paymentId: string): Promise<boolean> {
  const rows = await query(
    "SELECT FROM suspense_refund WHERE merchant_id = $1 AND payment_id = $2 AND state IN ('proposed', 'confirmed') LIMIT 1",
    merchantId,
    paymentId,
  );
  return rows.length > 0;
}
