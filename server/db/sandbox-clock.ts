// The clocks of merchants' test environments: how far each runs ahead of the database's, and moving them forward.
import type { Scope } from "@/server/domain/scope";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import type { Claim, Seal } from "./commit/unit";
import { storeAnswerWithin } from "./idempotency";
import { aheadOf } from "./merchant-time";

/** A merchant's time in one environment, `offsetMs` ahead of the database's. */
export interface MerchantTime {
  readonly now: Date;
  readonly offsetMs: number;
}

interface Row {
  now_ms: number;
  offset_ms: number;
}

function fromRow({ now_ms, offset_ms }: Row): MerchantTime {
  return { now: new Date(now_ms), offsetMs: offset_ms };
}

const READ = `
  SELECT (extract(epoch FROM now() + ahead) * 1000)::float8 AS now_ms, (extract(epoch FROM ahead) * 1000)::float8 AS offset_ms
  FROM (SELECT ${aheadOf({ merchant: "$1", environment: "$2" })} AS ahead) clock`;

/** The time it is for the merchant, read afresh. */
export async function readMerchantTime({ merchantId, environment }: Scope): Promise<MerchantTime> {
  const [row] = await query<Row>(READ, merchantId, environment);
  if (!row) throw new Error("a clock gave no row");
  return fromRow(row);
}

const ADVANCE = `
  INSERT INTO sandbox_clock (merchant_id, offset_ms, moved_at) VALUES ($1, $2::bigint, now())
  ON CONFLICT (merchant_id, environment)
  DO UPDATE SET offset_ms = sandbox_clock.offset_ms + excluded.offset_ms, moved_at = excluded.moved_at
  RETURNING (extract(epoch FROM now()) * 1000 + offset_ms)::float8 AS now_ms, offset_ms::float8 AS offset_ms`;

/**
 * Deliveries are timed by the database alone, so that their claim need not know any clock: what waits is brought nearer
 * instead. A merchant's test deliveries are few, unlike its intents, and nothing else is compared with these times.
 */
const BRING_DELIVERIES_NEARER = `
  WITH moved AS (
    UPDATE delivery SET due_at = due_at - $2::bigint * interval '1 millisecond'
    WHERE merchant_id = $1 AND environment = 'test' AND state = 'pending' AND NOT in_flight
  )
  UPDATE webhook_endpoint
  SET held_until = held_until - $2::bigint * interval '1 millisecond',
      failing_since = failing_since - $2::bigint * interval '1 millisecond',
      last_accepted_at = last_accepted_at - $2::bigint * interval '1 millisecond',
      previous_secret_until = previous_secret_until - $2::bigint * interval '1 millisecond'
  WHERE merchant_id = $1 AND environment = 'test' AND deleted_at IS NULL`;

/** What completes an idempotent request: both null without a key. */
export interface Completion {
  readonly claim: Claim | null;
  readonly seal: Seal | null;
}

/**
 * Moves the merchant's test clock forward by `byMs`, with an audit entry and the stored answer, all or nothing. The key
 * is claimed at the time the clock then shows, so that it does not expire by the very move. Fails on the rule
 * `sandbox_clock_offset_in_range` beyond 400 days in all, and on the keys of `idempotency_…` when the key is taken.
 */
export function advanceClock(
  merchantId: string,
  byMs: number,
  act: Omit<Act, "at">,
  completionOf: (after: MerchantTime) => Completion,
): Promise<MerchantTime> {
  const scope = { merchantId, environment: "test" } as const;
  return inTransaction(async (transaction) => {
    const [row] = await transaction.query<Row>(ADVANCE, merchantId, BigInt(byMs));
    if (!row) throw new Error("a clock gave no row");
    const after = fromRow(row);
    await transaction.query(BRING_DELIVERIES_NEARER, merchantId, BigInt(byMs));
    const change = {
      ...scope,
      action: "sandbox_clock.advance",
      objectId: merchantId,
      before: { offset_ms: after.offsetMs - byMs },
      after: { offset_ms: after.offsetMs },
    };
    await recordChange(transaction, change, { ...act, at: after.now });
    await storeAnswerWithin(transaction, scope, completionOf(after));
    return after;
  });
}
