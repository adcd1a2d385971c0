import type { Books } from "@/server/domain/books";
import { NOBODY } from "@/server/domain/exceptions";
import { JOURNAL_KEYS } from "@/server/domain/journal";
import { clearingAccount, DECISION_KEYS, type IntentTransaction } from "@/server/domain/ledger";
import type { Scope } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { withNobodysRows } from "@/server/platform/reach";
import { query } from "./client";
import type { Transaction } from "./transaction";

/** The keys of bookings of what a provider reported to have moved for a payment or payout. */
const MOVEMENTS = ["receipt:", "receipt_id:", "payout_settlement:", "bank_return:", "amount_mismatch:bank_return:"]
  .map((prefix) => `starts_with(t.unique_key, '${prefix}')`)
  .join(" OR ");

/** A person decided that money of a payout in suspense went back to the provider, or is there again. */
const DECIDED = `(starts_with(t.unique_key, '${DECISION_KEYS}')
  AND EXISTS (SELECT FROM payout_intent p WHERE p.merchant_id = t.merchant_id AND p.id = t.intent_id))`;

/** The reference under which the provider first reported a payout settled. */
const SETTLED_UNDER = `
  SELECT a.provider_reference FROM provider_attempt a
  WHERE a.merchant_id = $1 AND a.intent_id = $2 AND a.provider = $5 AND a.outcome = 'settled'
    AND a.provider_reference IS NOT NULL
  ORDER BY a.answered_at, a.ordinal LIMIT 1`;

const OF_INTENT = `
  SELECT t.unique_key, e.currency, (-e.amount)::text AS amount,
         CASE WHEN starts_with(t.unique_key, 'payout_settlement:') THEN (${SETTLED_UNDER})
              ELSE x.detail->>'provider_reference' END AS reference
  FROM ledger_transaction t
  JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
  LEFT JOIN exception x
    ON x.merchant_id = t.merchant_id AND x.environment = t.environment AND x.fact = t.unique_key
  WHERE t.merchant_id = $1 AND t.intent_id = $2 AND e.kind IN ($4, 'provider_clearing') AND (${MOVEMENTS} OR ${DECIDED})`;

/** Transactions of journal entries that were confirmed as being about the intent. */
const CONFIRMED_ABOUT = `
  SELECT id FROM ledger_transaction
  WHERE merchant_id = $1 AND coalesce(intent_id, journaled_intent_id) = $2 AND movement_ordinal IS NOT NULL
    AND journaled_intent_id IS NOT NULL`;

/** Confirmed journal entries about the intent, by its id or as the provider knows it. */
const NOTED_ABOUT = `
  SELECT j.environment, j.id FROM journal_entry j
  WHERE j.merchant_id = $1 AND j.object_id IN ($2, $3) AND j.state = 'confirmed'`;

/** The same of a release that did not note what they are about: their exception tells. */
const RESOLVED_ABOUT = `
  SELECT j.environment, j.id FROM exception x
  JOIN journal_entry j ON j.merchant_id = $1 AND j.exception_id = x.id AND j.state = 'confirmed'
  WHERE x.merchant_id IN ($1, '${NOBODY}') AND x.object_id IN ($2, $3)`;

/**
 * Transactions of such entries. When they were confirmed, the intent may have been unknown here, since the database had been
 * restored; v0.1.0 did not look for it.
 */
const BOOKED_ABOUT = `
  SELECT t.id FROM (${NOTED_ABOUT} UNION ${RESOLVED_ABOUT}) about
  JOIN ledger_transaction t
    ON t.merchant_id = $1 AND t.environment = about.environment AND t.unique_key = '${JOURNAL_KEYS}' || about.id`;

/**
 * Ledger entries `e` of confirmed journal entries about an intent: $1 is its merchant, $2 its id, $3 its dispatch reference.
 * An exception of nobody stays in its cell when the merchant moves, so the entry and its booking say what they are about. The
 * statement runs in `withNobodysRows`.
 */
export const JOURNALED = `
  FROM (${CONFIRMED_ABOUT} UNION ${BOOKED_ABOUT}) by_hand
  JOIN ledger_transaction t ON t.merchant_id = $1 AND t.id = by_hand.id
  JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
  WHERE true`;

const BY_HAND = `
  SELECT t.unique_key, e.currency, (-e.amount)::text AS amount, NULL AS reference ${JOURNALED}
    AND e.kind IN ($4, 'provider_clearing')`;

/** All that moved for the intent through the provider, including settlements, refunds and fees. */
const ANY_OF_INTENT = `
  SELECT t.unique_key, e.currency, (-e.amount)::text AS amount, NULL AS reference
  FROM ledger_transaction t
  JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
  WHERE t.merchant_id = $1 AND t.intent_id = $2 AND e.kind IN ($4, 'provider_clearing')`;

/** The next number among the intent's bookings, those by hand included; read in one snapshot with what is booked. */
export const NEXT_ORDINAL = `
  SELECT coalesce(max(movement_ordinal), 0) + 1 AS next_ordinal FROM ledger_transaction
  WHERE merchant_id = $1 AND coalesce(intent_id, journaled_intent_id) = $2 AND movement_ordinal IS NOT NULL`;

/** The number for a booking of the intent that is made in the caller's transaction. */
export async function nextOrdinalWithin(
  transaction: Transaction,
  { merchantId }: Scope,
  { intentId }: IntentTransaction,
): Promise<number> {
  const [row] = await transaction.query<{ readonly next_ordinal: number }>(NEXT_ORDINAL, merchantId, intentId);
  return row?.next_ordinal ?? 1;
}

interface Row {
  readonly next_ordinal: number;
  /** Null in the one row without a movement. */
  readonly unique_key: string | null;
  readonly currency: string;
  readonly amount: string;
  readonly reference: string | null;
}

/** What names the books of an intent. */
export type BookedIntent = Pick<IntentCore<string>, "merchantId" | "id" | "dispatchReference">;

/** What a report is compared with: what a provider moved for the intent, also by hand; old bookings name no provider. */
export function findBookedMovements(intent: BookedIntent, provider: string): Promise<Books> {
  return findBooks(`${OF_INTENT} UNION ALL ${BY_HAND}`, intent, [clearingAccount(provider), provider]);
}

/** What a journal entry about the intent is compared with: all that the books have of it through the provider. */
export function findAllMovements(intent: BookedIntent, provider: string): Promise<Books> {
  return findBooks(`${ANY_OF_INTENT} UNION ALL ${BY_HAND}`, intent, [clearingAccount(provider)]);
}

async function findBooks(
  moved: string,
  { merchantId, id, dispatchReference }: BookedIntent,
  values: readonly string[],
): Promise<Books> {
  const rows = await withNobodysRows(() =>
    query<Row>(
      `SELECT * FROM (${NEXT_ORDINAL}) next LEFT JOIN (${moved}) moved ON true`,
      merchantId,
      id,
      dispatchReference,
      ...values,
    ),
  );
  const movements = rows.flatMap(({ unique_key: uniqueKey, currency, amount, reference }) =>
    uniqueKey === null ? [] : [{ uniqueKey, currency, amount: BigInt(amount), reference }],
  );
  return { movements, nextOrdinal: rows[0]?.next_ordinal ?? 1 };
}
