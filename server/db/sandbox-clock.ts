// The clocks of merchants' test environments: how far each runs ahead of the database's, and moving them forward.
import { LRUCache } from "lru-cache";
import type { Scope } from "@/server/domain/scope";
import type { Batcher } from "@/server/platform/batcher";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import type { Claim, Seal } from "./commit/unit";
import { isAttributable } from "./failures";
import { storeAnswerWithin } from "./idempotency";
import { createMerchantBatcher } from "./merchant-batcher";
import { aheadOf } from "./merchant-time";
import type { Transaction } from "./transaction";

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
 * The times of endpoints, ten at most, are the database's and are brought nearer. They are locked in the order of records
 * of attempts (webhooks/attempts.ts): two orders would be deadlocks.
 */
const BRING_ENDPOINTS_NEARER = `
  UPDATE webhook_endpoint e
  SET held_until = held_until - $2::bigint * interval '1 millisecond',
      failing_since = failing_since - $2::bigint * interval '1 millisecond',
      last_accepted_at = last_accepted_at - $2::bigint * interval '1 millisecond',
      previous_secret_until = previous_secret_until - $2::bigint * interval '1 millisecond'
  FROM (SELECT id FROM webhook_endpoint
        WHERE merchant_id = $1 AND environment = 'test' AND deleted_at IS NULL
        ORDER BY id FOR NO KEY UPDATE) locked
  WHERE e.merchant_id = $1 AND e.id = locked.id`;

/** What completes an idempotent request: both null without a key. */
export interface Completion {
  readonly claim: Claim | null;
  readonly seal: Seal | null;
}

interface Move {
  readonly merchantId: string;
  readonly byMs: number;
  readonly act: Omit<Act, "at">;
  readonly completionOf: (after: MerchantTime) => Completion;
}

async function moveWithin(transaction: Transaction, { merchantId, byMs, act, completionOf }: Move) {
  const scope = { merchantId, environment: "test" } as const;
  const [row] = await transaction.query<Row>(ADVANCE, merchantId, BigInt(byMs));
  if (!row) throw new Error("a clock gave no row");
  const after = fromRow(row);
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
}

/** Executes moves of one merchant, all or nothing. */
function moveAll(moves: readonly Move[]): Promise<MerchantTime[]> {
  const merchantId = moves[0]?.merchantId;
  const totalMs = BigInt(moves.reduce((total, { byMs }) => total + byMs, 0));
  return inTransaction(async (transaction) => {
    const times: MerchantTime[] = [];
    for (const move of moves) times.push(await moveWithin(transaction, move));
    await transaction.query(BRING_ENDPOINTS_NEARER, merchantId, totalMs);
    return times;
  });
}

const MAXIMUM_BATCH = 16;
const MAXIMUM_WAITING = 256;
/** A caller has its 503 within 5 s. */
const SETTLES_WITHIN_MS = 4_000;
/** A merchant beyond this number starts a queue beside its old one; the lock of its clock's row still orders the moves. */
const MAXIMUM_QUEUES = 1_000;

/**
 * Concurrent moves of one clock share a transaction. One by one, each would wait for the clock's row on a connection of its
 * own.
 */
const queues = new LRUCache<string, Batcher<Move, MerchantTime>>({ max: MAXIMUM_QUEUES });

function queueOf(merchantId: string): Batcher<Move, MerchantTime> {
  const known = queues.get(merchantId);
  if (known) return known;
  const queue = createMerchantBatcher<Move, MerchantTime>({
    merchantOf: (move) => move.merchantId,
    run: moveAll,
    isAttributable,
    maximumSize: MAXIMUM_BATCH,
    maximumWaiting: MAXIMUM_WAITING,
    settlesWithinMs: SETTLES_WITHIN_MS,
  });
  queues.set(merchantId, queue);
  return queue;
}

/**
 * Moves the merchant's test clock forward by `byMs`, with an audit entry and the stored answer, all or nothing. The key
 * is claimed at the time the clock then shows, so that it does not expire by the very move. Fails on the rule
 * `sandbox_clock_offset_in_range` beyond 400 days in all, on the keys of `idempotency_…` when the key is taken, and with
 * Overloaded or OutcomeUnknown as a batch does.
 */
export function advanceClock(
  merchantId: string,
  byMs: number,
  act: Omit<Act, "at">,
  completionOf: (after: MerchantTime) => Completion,
): Promise<MerchantTime> {
  return queueOf(merchantId).add({ merchantId, byMs, act, completionOf });
}
