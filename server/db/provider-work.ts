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
const AT_PROVIDER = "status IN ('processing', 'requires_action', 'requires_payment')";

const openWork = (kind: keyof typeof KINDS, condition: string) => `
  SELECT provider, environment, '${kind}' AS kind, count(*)::int AS count, min(created_at) AS "oldestAt",
         count(*) FILTER (WHERE due_at < now() + ${aheadOf("i")} - interval '${LATE_SECONDS} seconds')::int AS overdue
  FROM (SELECT merchant_id, provider, environment, created_at, due_at FROM ${KINDS[kind]}
        WHERE due_at IS NOT NULL AND ${AT_PROVIDER} ${condition} LIMIT ${READ_AT_MOST}) i
  GROUP BY provider, environment`;

const ofAllKinds = (condition: string) =>
  (["payment", "payout", "topup"] as const).map((kind) => `(${openWork(kind, condition)})`).join(" UNION ALL ");

/** Returns the merchant's open work by provider and kind. */
export function listOpenWork({ merchantId, environment }: Scope): Promise<OpenWork[]> {
  return query<OpenWork>(ofAllKinds("AND merchant_id = $1 AND environment = $2"), merchantId, environment);
}

/** Returns the open work of all merchants by provider, environment and kind. */
export function listOpenWorkAcrossMerchants(): Promise<OpenWork[]> {
  return queryAcrossMerchants<OpenWork>(ofAllKinds("ORDER BY due_at"));
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
