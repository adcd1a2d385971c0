// Reads what is recorded beside a top-up: its steps, and what they and older bookings came to.
import { clearingAccount } from "@/server/domain/ledger";
import { type BookedByHand, totalFacts } from "@/server/domain/topup-doubt";
import type { KnownTotals } from "@/server/domain/topup-step";
import type { IntentCore, ReportedTotal } from "@/server/domain/transition";
import { withNobodysRows } from "@/server/platform/reach";
import { JOURNALED, NEXT_ORDINAL } from "./booked-movements";
import { query } from "./client";

/** The keys of bookings beside a top-up that took funds in; those of `receipt:` were made before steps were stored. */
const TOOK_IN_OWN = `(starts_with(t.unique_key, 'topup_late:') OR starts_with(t.unique_key, 'topup_over:')
  OR starts_with(t.unique_key, 'receipt:' || t.intent_id || ':after '))`;
/** How the loss of funds was settled; in an account of the provider: they were restored. */
const SETTLED = "starts_with(t.unique_key, 'settled:funds_dropped:')";
/** Funds that were gone, less what was restored since. */
const DROPPED = `(t.reason = 'funds_dropped' OR ${SETTLED})`;
const TOOK_IN_OTHER = `(starts_with(t.unique_key, 'other_token:')
  OR (t.reason = 'amount_mismatch' AND starts_with(t.unique_key, 'receipt:')))`;

interface Row {
  readonly ordinal: number;
  readonly seen: string | null;
  readonly reported: string;
  readonly taken: string;
  readonly dropped: string;
  readonly restored_at: Date | null;
  readonly hand_count: number;
  readonly by_hand: string;
  readonly next_ordinal: number;
}

/** What is known of a top-up's totals by reports, and what two operators have booked by hand. */
export interface StoredTotals extends KnownTotals {
  readonly byHand: BookedByHand;
  /** The next number among the top-up's bookings: one that a journal entry took meanwhile makes the step be decided again. */
  readonly nextMovementOrdinal: number;
}

/** What is known of a top-up's totals of one token, as of one instant. */
export async function findKnownTotals(
  { merchantId, id, dispatchReference, provider }: IntentCore<string>,
  { token, currency, isOwnToken }: ReportedTotal,
): Promise<StoredTotals> {
  const tookIn = isOwnToken ? TOOK_IN_OWN : TOOK_IN_OTHER;
  const [row] = await withNobodysRows(() =>
    query<Row>(
      `SELECT steps.ordinal, steps.seen::text, steps.reported::text, booked.taken::text, booked.dropped::text,
            booked.restored_at, by_hand.hand_count, by_hand.taken::text AS by_hand, next.next_ordinal
     FROM (${NEXT_ORDINAL}) next, (
       SELECT count(*)::int AS ordinal,
              (array_agg(seen_amount ORDER BY ordinal DESC) FILTER (WHERE currency = $4))[1] AS seen,
              coalesce(max(reported_amount) FILTER (WHERE currency = $4), 0) AS reported
       FROM topup_total WHERE merchant_id = $1 AND intent_id = $2
     ) steps, (
       SELECT count(*)::int AS hand_count, coalesce(-sum(e.amount) FILTER (WHERE e.currency = $5), 0) AS taken ${JOURNALED}
         AND e.kind IN ($6, 'provider_clearing')
     ) by_hand, (
       SELECT coalesce(-sum(e.amount) FILTER (WHERE ${tookIn}), 0) AS taken,
              coalesce(sum(e.amount) FILTER (WHERE ${DROPPED}), 0) AS dropped,
              max(t.created_at) FILTER (WHERE ${SETTLED}) AS restored_at
       FROM ledger_transaction t
       JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
       WHERE t.merchant_id = $1 AND t.intent_id = $2 AND starts_with(e.kind, 'provider_clearing') AND e.currency = $5
     ) booked`,
      merchantId,
      id,
      dispatchReference,
      token,
      currency,
      clearingAccount(provider),
    ),
  );
  if (!row) throw new RangeError("an aggregate has one row");
  return {
    ordinal: row.ordinal,
    seen: row.seen === null ? null : BigInt(row.seen),
    reported: BigInt(row.reported),
    taken: BigInt(row.taken),
    dropped: BigInt(row.dropped),
    restoredAt: row.restored_at,
    byHand: { count: row.hand_count, amount: BigInt(row.by_hand) },
    nextMovementOrdinal: row.next_ordinal,
  };
}

/** How many exceptions have asked about other totals of the top-up than this one. */
export async function countOtherQuestions(
  { merchantId, id }: IntentCore<string>,
  { token, reported }: ReportedTotal,
): Promise<number> {
  const facts = totalFacts(id);
  const [row] = await query<{ readonly count: number }>(
    `SELECT count(*)::int AS count FROM exception
     WHERE merchant_id = $1 AND object_id = $2 AND starts_with(fact, $3) AND NOT starts_with(fact, $4)`,
    merchantId,
    id,
    facts,
    `${facts}${token}:${reported}:`,
  );
  return row?.count ?? 0;
}
