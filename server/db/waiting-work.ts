// The work that waits, for the operator's metrics. Each statement reads at most `COUNTED_AT_MOST` rows of an index of what is
// open, so that a long backlog does not make it slow: a count that reaches this number means that many or more.
import { queryAcrossMerchants } from "./client";
import { aheadOf } from "./merchant-time";
import { WAITING_ENDPOINTS } from "./webhooks/claims";
import { dueAt, isDue } from "./webhooks/due";

const COUNTED_AT_MOST = 10_000;

const INTENT_TABLES = ["payment_intent", "payout_intent", "topup_intent"] as const;

const SECONDS_SINCE = (instant: string) => `greatest(0, extract(epoch FROM now() - ${instant}))::float8`;

/** Open intents by the time since their creation. Those that are due first are read first. */
const openIntents = (table: string) => `
  SELECT '${table}' AS kind, environment, status, age, count(*)::int AS count, max(seconds) AS oldest_seconds
  FROM (
    SELECT environment, status, seconds,
           CASE WHEN seconds < 60 THEN 'under_1m' WHEN seconds < 3600 THEN 'under_1h'
                WHEN seconds < 86400 THEN 'under_1d' ELSE 'over_1d' END AS age
    FROM (SELECT environment, status, ${SECONDS_SINCE("created_at")} AS seconds FROM ${table}
          WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${COUNTED_AT_MOST}) o) banded
  GROUP BY environment, status, age`;

export const OPEN_INTENTS = INTENT_TABLES.map(openIntents).join(" UNION ALL ");

interface OpenIntents {
  readonly kind: string;
  readonly environment: string;
  readonly status: string;
  /** under_1m | under_1h | under_1d | over_1d: each without those before it. */
  readonly age: string;
  readonly count: number;
  readonly oldest_seconds: number;
}

const overdue = (work: string, due: string) => `
  SELECT '${work}' AS work, count(*)::int AS count, coalesce(max(${SECONDS_SINCE("due_at")}), 0) AS seconds
  FROM (${due} LIMIT ${COUNTED_AT_MOST}) due`;

const dueRows = (table: string) => `SELECT due_at FROM ${table} WHERE due_at <= now() ORDER BY due_at`;

/**
 * Due deliveries of endpoints that may be sent to and that no worker is busy with: a slow receiver delays only its own, and
 * that is not the operator's fault. Each endpoint gives its most overdue first.
 */
const DUE_DELIVERIES = `
  WITH RECURSIVE ${WAITING_ENDPOINTS},
  idle AS (
    SELECT w.merchant_id, w.endpoint_id, ${aheadOf("e")} AS ahead
    FROM (SELECT * FROM waiting LIMIT ${COUNTED_AT_MOST}) w
    JOIN webhook_endpoint e ON e.merchant_id = w.merchant_id AND e.id = w.endpoint_id
    WHERE e.state = 'enabled' AND e.deleted_at IS NULL AND (e.held_until IS NULL OR e.held_until <= now())
      AND NOT EXISTS (
        SELECT FROM delivery f
        WHERE f.merchant_id = w.merchant_id AND f.endpoint_id = w.endpoint_id AND f.state = 'pending'
          AND f.due_at > now() AND f.due_at <= now() + interval '1 minute' AND f.in_flight)
  )
  SELECT d.due_at FROM idle i CROSS JOIN LATERAL (
    SELECT ${dueAt("w", "i.ahead")} AS due_at FROM delivery w
    WHERE w.merchant_id = i.merchant_id AND w.endpoint_id = i.endpoint_id AND w.state = 'pending'
      AND ${isDue("w", "i.ahead")}
    ORDER BY w.due_at LIMIT 100) d`;

export const OVERDUE_WORK = [
  ...INTENT_TABLES.map((table) => overdue(table, dueRows(table))),
  overdue("callback", dueRows("provider_callback")),
  overdue("delivery", DUE_DELIVERIES),
].join(" UNION ALL ");

interface OverdueWork {
  /** The kind of intent, `callback` or `delivery`. */
  readonly work: string;
  readonly count: number;
  /** How long the first of them has been due. */
  readonly seconds: number;
}

export const PENDING_DELIVERIES = `
  SELECT count(*)::int AS count FROM (SELECT FROM delivery WHERE state = 'pending' LIMIT ${COUNTED_AT_MOST}) d`;

/** Entries in the order of their ids, which is that of their creation: the first of each merchant is its oldest. */
export const UNLINKED_AUDIT = `
  WITH RECURSIVE waiting AS (
    (SELECT merchant_id, queued_at FROM audit_pending ORDER BY merchant_id, entry_id LIMIT 1)
    UNION ALL
    SELECT next.merchant_id, next.queued_at
    FROM waiting w CROSS JOIN LATERAL (
      SELECT merchant_id, queued_at FROM audit_pending p WHERE p.merchant_id > w.merchant_id
      ORDER BY p.merchant_id, p.entry_id LIMIT 1) next
  )
  SELECT (SELECT count(*)::int FROM (SELECT FROM audit_pending LIMIT ${COUNTED_AT_MOST}) p) AS count,
         coalesce(max(${SECONDS_SINCE("queued_at")}), 0) AS seconds
  FROM (SELECT queued_at FROM waiting LIMIT ${COUNTED_AT_MOST}) w`;

/** Links that the figures of the overview do not count yet. */
export const UNFOLDED_LINKS = `
  SELECT coalesce(sum(c.last_sequence - coalesce(m.last_sequence, 0)), 0)::float8 AS count
  FROM (SELECT merchant_id, last_sequence FROM audit_chain ORDER BY merchant_id LIMIT ${COUNTED_AT_MOST}) c
  LEFT JOIN figure_mark m ON m.merchant_id = c.merchant_id`;

/** Links whose intents are not in the search table yet. */
export const UNFILLED_LINKS = `
  SELECT coalesce(sum(c.last_sequence - coalesce(m.last_sequence, 0)), 0)::float8 AS count
  FROM (SELECT merchant_id, last_sequence FROM audit_chain ORDER BY merchant_id LIMIT ${COUNTED_AT_MOST}) c
  LEFT JOIN search_mark m ON m.merchant_id = c.merchant_id`;

export const OPEN_EXCEPTIONS = `
  SELECT kind, environment, count(*)::int AS count, max(seconds) AS oldest_seconds
  FROM (SELECT kind, environment, ${SECONDS_SINCE("opened_at")} AS seconds FROM exception
        WHERE resolved_at IS NULL ORDER BY opened_at LIMIT ${COUNTED_AT_MOST}) x
  GROUP BY kind, environment`;

interface OpenExceptions {
  readonly kind: string;
  readonly environment: string;
  readonly count: number;
  readonly oldest_seconds: number;
}

export interface WaitingWork {
  readonly openIntents: readonly OpenIntents[];
  readonly overdue: readonly OverdueWork[];
  readonly pendingDeliveries: number;
  readonly unlinkedAudit: { readonly count: number; readonly seconds: number };
  readonly unfoldedLinks: number;
  readonly unfilledLinks: number;
  readonly exceptions: readonly OpenExceptions[];
}

async function single<Row>(sql: string): Promise<Row> {
  const [row] = await queryAcrossMerchants<Row>(sql);
  return row as Row;
}

/** Reads all of it, one statement after the other, so that it takes one connection. Throws the error of `pg`. */
export async function readWaitingWorkAcrossMerchants(): Promise<WaitingWork> {
  return {
    openIntents: await queryAcrossMerchants<OpenIntents>(OPEN_INTENTS),
    overdue: await queryAcrossMerchants<OverdueWork>(OVERDUE_WORK),
    pendingDeliveries: (await single<{ count: number }>(PENDING_DELIVERIES)).count,
    unlinkedAudit: await single<{ count: number; seconds: number }>(UNLINKED_AUDIT),
    unfoldedLinks: (await single<{ count: number }>(UNFOLDED_LINKS)).count,
    unfilledLinks: (await single<{ count: number }>(UNFILLED_LINKS)).count,
    exceptions: await queryAcrossMerchants<OpenExceptions>(OPEN_EXCEPTIONS),
  };
}
