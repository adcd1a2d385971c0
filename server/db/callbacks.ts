// Provider callbacks at rest: claimed for a try, and what came of each try. callback-receipt.ts stores them.
import {
  type CallbackKey,
  type CallbackResult,
  type CallbackState,
  callbackName,
  UNAPPLIED_REASONS,
  type UnappliedReason,
  unappliedCallbackFact,
} from "@/server/domain/callback";
import { ENVIRONMENTS, type Scope } from "@/server/domain/scope";
import { createBatcher } from "@/server/platform/batcher";
import { perCell } from "@/server/platform/cell";
import { acrossMerchants } from "@/server/platform/reach";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, queryAcrossMerchants } from "./client";
import { findOpenByFactWithin, type Opening, openExceptionsWithin, resolveExceptionWithin } from "./exceptions";
import { isAttributable, orOnLockConflict } from "./failures";
import type { Transaction } from "./transaction";

/** A callback as a provider sent it. */
export interface ReceivedCallback extends CallbackKey {
  readonly body: string;
  readonly receivedAt: Date;
}

export interface StoredCallback extends ReceivedCallback {
  /** Made at its receipt, under a key that the database does not hold; null for a row without one. */
  readonly digest: string | null;
  /** Tries begun. While a callback is claimed, the number of the try is the claim: a later claim ends it. */
  readonly attempts: number;
  /** Null while the worker will try it. */
  readonly result: CallbackResult | null;
  /** When its last try ended; null while the worker will try it. */
  readonly finishedAt: Date | null;
  /** When it is tried next, or when the claim on it lapses; null once it has a result. */
  readonly dueAt: Date | null;
}

interface Row {
  readonly provider: string;
  readonly callback_id: string;
  readonly body: string;
  readonly received_at: Date;
  readonly digest: string | null;
  readonly attempts: number;
  readonly result: CallbackResult | null;
  readonly applied_at: Date | null;
  readonly due_at: Date | null;
}

const COLUMNS = "provider, callback_id, body, received_at, digest, attempts, result, applied_at, due_at";

function fromRow(row: Row): StoredCallback {
  return {
    provider: row.provider,
    callbackId: row.callback_id,
    body: row.body,
    receivedAt: row.received_at,
    digest: row.digest,
    attempts: row.attempts,
    result: row.result,
    finishedAt: row.applied_at,
    dueAt: row.due_at,
  };
}

/** Claims up to `count` due callbacks for `leaseMs`, the longest due first. */
export async function claimDueCallbacksAcrossMerchants(count: number, leaseMs: number): Promise<StoredCallback[]> {
  const claim = queryAcrossMerchants<Row>(
    `UPDATE provider_callback SET due_at = now() + $2 * interval '1 millisecond', attempts = attempts + 1
     WHERE (provider, callback_id) IN (
       SELECT provider, callback_id FROM provider_callback WHERE due_at <= now() ORDER BY due_at LIMIT $1)
       AND due_at <= now()
     RETURNING ${COLUMNS}`,
    count,
    leaseMs,
  );
  return (await orOnLockConflict(claim, [])).map(fromRow);
}

const CLAIMED = "provider = $1 AND callback_id = $2 AND attempts = $3";

const FINISH = `
  UPDATE provider_callback SET applied_at = now(), due_at = NULL, result = $4 WHERE ${CLAIMED} RETURNING callback_id`;

type Claim = Pick<StoredCallback, "provider" | "callbackId" | "attempts">;

function keyOf({ provider, callbackId, attempts }: Claim): [string, string, number] {
  return [provider, callbackId, attempts];
}

interface Finish {
  readonly claim: Claim;
  readonly result: "applied" | "ignored" | "handed_over";
}

/** As many as a worker claims at a time. */
const MAXIMUM_BATCH = 64;

/** Callbacks that end at the same moment share one statement and one commit. */
const finishes = perCell(() =>
  createBatcher<Finish, boolean>({
    isAttributable,
    exclusiveKey: ({ claim }) => callbackName(claim),
    maximumSize: MAXIMUM_BATCH,
    async run(all) {
      const rows = await queryAcrossMerchants<{ n: number }>(
        `UPDATE provider_callback c SET applied_at = now(), due_at = NULL, result = ended.result
       FROM unnest($1::text[], $2::text[], $3::int[], $4::text[]) WITH ORDINALITY
         AS ended(provider, callback_id, attempts, result, n)
       WHERE c.provider = ended.provider AND c.callback_id = ended.callback_id AND c.attempts = ended.attempts
       RETURNING ended.n::int - 1 AS n`,
        all.map(({ claim }) => claim.provider),
        all.map(({ claim }) => claim.callbackId),
        all.map(({ claim }) => claim.attempts),
        all.map(({ result }) => result),
      );
      const finished = new Set(rows.map(({ n }) => n));
      return all.map((_, n) => finished.has(n));
    },
  }),
);

/** Ends a claimed callback's tries with a result; false when a later try has taken the claim away. */
export function finishCallbackAcrossMerchants(claim: Claim, result: Finish["result"]): Promise<boolean> {
  return acrossMerchants(() => finishes().add({ claim, result }));
}

/**
 * Makes a claimed callback due in `delayMs`; false when a later try has taken the claim away. One that was not tried does not
 * lose a try: the next claim gets the number of this one, which the caller must not use again.
 */
export async function postponeCallbackAcrossMerchants(
  claim: Claim,
  delayMs: number,
  wasTried = true,
): Promise<boolean> {
  const rows = await queryAcrossMerchants(
    `UPDATE provider_callback SET due_at = now() + $4 * interval '1 millisecond', attempts = attempts - $5::int
     WHERE ${CLAIMED} RETURNING callback_id`,
    ...keyOf(claim),
    delayMs,
    wasTried ? 0 : 1,
  );
  return rows.length === 1;
}

/**
 * Ends a claimed callback's tries without success and opens its exception, in one transaction; false, and no exception,
 * when a later try has taken the claim away.
 */
export function setCallbackAsideAcrossMerchants(
  claim: Claim,
  result: UnappliedReason,
  opening: Opening,
  at: Date,
): Promise<boolean> {
  const work = async (transaction: Transaction): Promise<boolean> => {
    const rows = await transaction.query<unknown>(FINISH, ...keyOf(claim), result);
    if (rows.length === 0) return false;
    await openExceptionsWithin(transaction, [opening], at);
    return true;
  };
  return acrossMerchants(() => inTransaction(work));
}

/** What came of a person's try at an unapplied callback. */
export interface Retry {
  readonly result: CallbackResult;
  /** True when the operator accepted a callback without a digest. */
  readonly acceptedUnverified: boolean;
  /** Whose audit log records the try. */
  readonly scope: Scope;
  /** Resolves the callback's exception where given. */
  readonly resolution: string | null;
}

/**
 * Records a person's try at an unapplied callback: its result, an audit entry, and the end of its exception, in one
 * transaction. Returns null, and records nothing, when another try has ended since the callback was read.
 */
export function recordRetryAcrossMerchants(
  read: StoredCallback,
  { result, acceptedUnverified, scope, resolution }: Retry,
  act: Act,
): Promise<StoredCallback | null> {
  const work = async (transaction: Transaction): Promise<StoredCallback | null> => {
    const [row] = await transaction.query<Row>(
      `UPDATE provider_callback SET applied_at = now(), result = $4, attempts = attempts + 1
       WHERE ${CLAIMED} RETURNING ${COLUMNS}`,
      ...keyOf(read),
      result,
    );
    if (!row) return null;
    const change = {
      action: "callback.apply",
      objectId: callbackName(read),
      before: { result: read.result },
      after: { result, ...(acceptedUnverified && { accepted_unverified: true }) },
    };
    await recordChange(transaction, { ...scope, ...change }, act);
    if (resolution !== null) await resolveOfCallback(transaction, read, resolution, act);
    return fromRow(row);
  };
  return acrossMerchants(() => inTransaction(work));
}

/** The exception may be nobody's, in an environment that was a guess: it is found by its fact. */
async function resolveOfCallback(
  transaction: Transaction,
  key: CallbackKey,
  resolution: string,
  act: Act,
): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    const open = await findOpenByFactWithin(transaction, environment, [unappliedCallbackFact(key)]);
    for (const exception of open) await resolveExceptionWithin(transaction, exception, resolution, act);
  }
}

/** The callback of a key, or null. */
export async function findCallbackAcrossMerchants({
  provider,
  callbackId,
}: CallbackKey): Promise<StoredCallback | null> {
  const [row] = await queryAcrossMerchants<Row>(
    `SELECT ${COLUMNS} FROM provider_callback WHERE provider = $1 AND callback_id = $2`,
    provider,
    callbackId,
  );
  return row ? fromRow(row) : null;
}

/** SQL: the row is a callback whose tries have ended without success. */
export const UNAPPLIED = `result IN (${UNAPPLIED_REASONS.map((reason) => `'${reason}'`).join(", ")})`;

const CONDITIONS: Readonly<Record<CallbackState, string>> = {
  waiting: "due_at IS NOT NULL",
  unapplied: UNAPPLIED,
  applied: "result = 'applied'",
  ignored: "result = 'ignored'",
  handed_over: "result = 'handed_over'",
};

/** At most `count` callbacks, the newest first; of every provider and in every state where null. */
export async function listCallbacksAcrossMerchants(
  filter: { readonly provider: string | null; readonly state: CallbackState | null },
  count: number,
): Promise<StoredCallback[]> {
  const condition = filter.state ? CONDITIONS[filter.state] : "true";
  const rows = await queryAcrossMerchants<Row>(
    `SELECT ${COLUMNS} FROM provider_callback WHERE ${condition} AND ($1::text IS NULL OR provider = $1)
     ORDER BY received_at DESC, provider, callback_id LIMIT $2`,
    filter.provider,
    count,
  );
  return rows.map(fromRow);
}
