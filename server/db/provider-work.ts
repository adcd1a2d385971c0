// Open work at providers and their recent calls: of one merchant for its members, of all for the operator. Statements read
// rows of indexes only, and at most `READ_AT_MOST` of each merchant or table.
import type { Environment, Scope } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { idBoundAt } from "@/server/platform/ids";
import { query, queryAcrossMerchants } from "./client";
import { aheadOf } from "./merchant-time";

const READ_AT_MOST = 1_000;

const KINDS = { payment: "payment_intent", payout: "payout_intent", topup: "topup_intent" } as const;

/** Work that a worker has not begun for so long is late, in seconds: a round takes less. */
const LATE_SECONDS = 60;

export interface OpenWork {
  readonly provider: string;
  readonly environment: Environment;
  readonly kind: keyof typeof KINDS;
  /** Open intents; counting stops at 1,000 of each kind. */
  readonly count: number;
  /** Those of them that should have been followed up a minute ago. */
  readonly overdue: number;
  /** When the oldest of those counted was created. */
  readonly oldestAt: Date;
}

/** In these an intent is at its provider, or on the way; a payout that awaits approval is not. */
const AT_PROVIDER = "('processing'), ('requires_action'), ('requires_payment')";
const COLUMNS = "merchant_id, provider, environment, created_at, due_at";

const openWork = (kind: keyof typeof KINDS, rows: string) => `
  SELECT provider, environment, '${kind}' AS kind, count(*)::int AS count, min(created_at) AS "oldestAt",
         count(*) FILTER (WHERE due_at < now() + ${aheadOf("i")} - interval '${LATE_SECONDS} seconds')::int AS overdue
  FROM (${rows} LIMIT ${READ_AT_MOST}) i
  GROUP BY provider, environment`;

const ofAllKinds = (rowsOf: (table: string) => string) =>
  (["payment", "payout", "topup"] as const)
    .map((kind) => `(${openWork(kind, rowsOf(KINDS[kind]))})`)
    .join(" UNION ALL ");

/**
 * Of one merchant ($1) in one environment ($2): one range of the index by status for each open status. If the range named the due
 * time, the planner would read the due rows of every merchant.
 */
export const OPEN_WORK = ofAllKinds(
  (table) => `
    SELECT o.* FROM (VALUES ${AT_PROVIDER}) s (status) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM ${table} t
      WHERE t.merchant_id = $1 AND t.environment = $2 AND t.status = s.status
      ORDER BY t.created_at, t.id LIMIT ${READ_AT_MOST}) o
    WHERE o.due_at IS NOT NULL`,
);
export const OPEN_WORK_OF_ALL = ofAllKinds(
  (table) => `
    SELECT ${COLUMNS} FROM ${table}
    WHERE due_at IS NOT NULL AND status IN (VALUES ${AT_PROVIDER}) ORDER BY due_at`,
);

/** Returns the merchant's open work by provider and kind. */
export function listOpenWork({ merchantId, environment }: Scope): Promise<OpenWork[]> {
  return query<OpenWork>(OPEN_WORK, merchantId, environment);
}

/** Returns the open work of all merchants by provider, environment and kind. */
export function listOpenWorkAcrossMerchants(): Promise<OpenWork[]> {
  return queryAcrossMerchants<OpenWork>(OPEN_WORK_OF_ALL);
}

/** Calls of the last `RECENT_MINUTES` are recent; an answer is looked for within a day. */
const RECENT_MINUTES = 15;
const DAY_MINUTES = 24 * 60;
/** A call without a recorded answer is under way for no longer than this. */
const UNDER_WAY_MINUTES = 1;

export interface ProviderCalls {
  readonly provider: string;
  readonly environment: Environment;
  /** Calls of the last 15 minutes that are over; counting stops at the newest 1,000 calls of a merchant. */
  readonly count: number;
  /** Those of them whose answer was lost, unusable or never came. */
  readonly withoutAnswer: number;
  /** When the provider last gave a usable answer, within a day; null if not. */
  readonly lastAnswerAt: Date | null;
}

/** Ids begin with the time: those of a merchant are read in the order of its primary key, the newest first. */
const newestCalls = (condition: string) => `
  SELECT id, provider, environment, answered_at,
         state = 'answered' AND outcome <> 'not_sent' AS is_answered,
         state <> 'started' OR id < $2 AS is_over
  FROM provider_attempt WHERE ${condition} AND id >= $1 ORDER BY id DESC LIMIT ${READ_AT_MOST}`;

const byProvider = (calls: string) => `
  SELECT provider, environment, count(*) FILTER (WHERE is_over AND id >= $3)::int AS count,
         count(*) FILTER (WHERE is_over AND NOT is_answered AND id >= $3)::int AS "withoutAnswer",
         max(answered_at) FILTER (WHERE is_answered) AS "lastAnswerAt"
  FROM (${calls}) c GROUP BY provider, environment`;

function bounds(): string[] {
  const ago = (minutes: number) => idBoundAt("attempt", new Date(now().getTime() - minutes * 60_000));
  return [ago(DAY_MINUTES), ago(UNDER_WAY_MINUTES), ago(RECENT_MINUTES)];
}

/** Returns the merchant's calls of the last day by provider. */
export function listProviderCalls({ merchantId, environment }: Scope): Promise<ProviderCalls[]> {
  const sql = byProvider(newestCalls("merchant_id = $4 AND environment = $5"));
  return query<ProviderCalls>(sql, ...bounds(), merchantId, environment);
}

/** Returns the calls of all merchants of the last day by provider and environment. */
export function listProviderCallsAcrossMerchants(): Promise<ProviderCalls[]> {
  const calls = `SELECT c.* FROM merchant m CROSS JOIN LATERAL (${newestCalls("merchant_id = m.id")}) c`;
  return queryAcrossMerchants<ProviderCalls>(byProvider(calls), ...bounds());
}
