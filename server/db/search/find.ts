// The statements of search. Each reads a bounded range of one index.
import type { Scope } from "@/server/domain/scope";
import type { IdRange, SearchedIntent, SearchField } from "@/server/domain/search-text";
import { query } from "../client";

/** What to look for in the search table: the beginning of a folded text, or exactly an amount. */
export interface SoughtTerm {
  readonly kind: SearchedIntent;
  readonly field: SearchField;
  readonly text: string;
}

/** The prefix is folded by the same function as what is stored. U+10FFFF sorts after every other character. */
export const FIND_TERMS = `
  SELECT sought.kind, found.object_id
  FROM (
    SELECT n, kind, field, folded AS lowest, folded || CASE WHEN field = 'amount' THEN '' ELSE U&'\\+10FFFF' END AS highest
    FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS s(kind, field, text, n)
    CROSS JOIN LATERAL (SELECT CASE WHEN field = 'amount' THEN text ELSE search_folded(text) END AS folded) f
    WHERE folded <> ''
  ) sought
  CROSS JOIN LATERAL (
    SELECT t.object_id FROM search_term t
    WHERE t.merchant_id = $1 AND t.environment = $2 AND t.kind = sought.kind AND t.field = sought.field
      AND t.term >= sought.lowest AND t.term <= sought.highest
    ORDER BY t.term, t.rank, t.object_id LIMIT $6
  ) found
  ORDER BY sought.n`;

export interface FoundIntent {
  readonly kind: SearchedIntent;
  readonly id: string;
}

/** At most `count` intents for each term, in the order of the terms; those of one term by its text, then the newest first. */
export async function findByTerms(
  { merchantId, environment }: Scope,
  sought: readonly SoughtTerm[],
  count: number,
): Promise<FoundIntent[]> {
  const rows = await query<{ kind: SearchedIntent; object_id: string }>(
    FIND_TERMS,
    merchantId,
    environment,
    sought.map(({ kind }) => kind),
    sought.map(({ field }) => field),
    sought.map(({ text }) => text),
    count,
  );
  return rows.map(({ kind, object_id: id }) => ({ kind, id }));
}

/**
 * The statement that reads the ids of a range, the newest first. Merchant and id are compared as one: the planner would read
 * the index of ids alone where most rows are one merchant's, and pass over newer ones of all others.
 */
export function findIdsStatement(table: SearchedIntent): string {
  return `SELECT id FROM ${table}
    WHERE (merchant_id, id) >= ($1, $3) AND (merchant_id, id) <= ($1, $4) AND environment = $2
    ORDER BY merchant_id DESC, id DESC LIMIT $5`;
}

export async function findByIds(
  { merchantId, environment }: Scope,
  kind: SearchedIntent,
  { lowest, highest }: IdRange,
  count: number,
): Promise<FoundIntent[]> {
  const statement = findIdsStatement(kind);
  const rows = await query<{ id: string }>(statement, merchantId, environment, lowest, highest, count);
  return rows.map(({ id }) => ({ kind, id }));
}

const dispatched = (table: SearchedIntent) => `
  (SELECT '${table}' AS kind, id FROM ${table}
   WHERE merchant_id = $1 AND environment = $2 AND dispatch_reference = $3 LIMIT 1)`;

/** By the provider's reference, or by ours at the provider if that is not the id. Calls of one intent can share one. */
export const FIND_AT_PROVIDER = `
  SELECT DISTINCT kind, id FROM (
    (SELECT CASE split_part(intent_id, '_', 1) WHEN 'dord' THEN 'payment_intent' WHEN 'word' THEN 'payout_intent'
                                               ELSE 'topup_intent' END AS kind, intent_id AS id
     FROM provider_attempt WHERE merchant_id = $1 AND environment = $2 AND provider_reference = $3 LIMIT $4)
    UNION ALL ${dispatched("payment_intent")}
    UNION ALL ${dispatched("payout_intent")}
    UNION ALL ${dispatched("topup_intent")}
  ) found ORDER BY id DESC`;

/** The intents that providers know under exactly that text. */
export function findAtProvider(scope: Scope, reference: string, count: number): Promise<FoundIntent[]> {
  return query<FoundIntent>(FIND_AT_PROVIDER, scope.merchantId, scope.environment, reference, count);
}

export interface FoundEvent {
  readonly id: string;
  readonly type: string;
  readonly intentId: string;
  readonly createdAt: Date;
}

/** Events of a range of ids, and the one of an intent. */
export const FIND_EVENTS = `
  SELECT id, type, intent_id, created_at FROM (
    (SELECT id, type, intent_id, created_at FROM event
     WHERE merchant_id = $1 AND environment = $2 AND id BETWEEN $3 AND $4 ORDER BY id DESC LIMIT $5)
    UNION ALL
    (SELECT id, type, intent_id, created_at FROM event
     WHERE merchant_id = $1 AND environment = $2 AND intent_id = $3 LIMIT 1)
  ) found ORDER BY id DESC`;

/** At most `count` events whose ids are in the range, and the event of the intent whose id is the lowest of it. */
export async function findEvents(
  { merchantId, environment }: Scope,
  { lowest, highest }: IdRange,
  count: number,
): Promise<FoundEvent[]> {
  const rows = await query<{ id: string; type: string; intent_id: string; created_at: Date }>(
    FIND_EVENTS,
    merchantId,
    environment,
    lowest,
    highest,
    count,
  );
  return rows.map(({ id, type, intent_id: intentId, created_at: createdAt }) => ({ id, type, intentId, createdAt }));
}
