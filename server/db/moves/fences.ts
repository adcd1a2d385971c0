// The fences of a merchant, written by its move as the owner of the tables.
import { setTimeout as sleep } from "node:timers/promises";
import { validationError } from "@/server/domain/errors";
import { CLOSING_LOCK } from "../merchant-fences";
import { REPORTS_NAME } from "../session-settings";
import { MOVER_NAME, type Owner } from "./owner";

/** The session of a command that was killed ends a moment after it. */
const LOCKED_WITHIN_MS = 3_000;
const LOCK_PAUSE_MS = 100;

/** Takes the lock of the merchant's move for the session. Returns false if another session keeps it for 3 s. */
export async function lockMove(owner: Owner, merchantId: string): Promise<boolean> {
  for (const end = performance.now() + LOCKED_WITHIN_MS; ; await sleep(LOCK_PAUSE_MS)) {
    const [row] = await owner.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_lock(hashtext('merchant_move'), hashtext($1)) AS locked",
      merchantId,
    );
    if (row?.locked) return true;
    if (performance.now() > end) return false;
  }
}

const FENCE_ARRIVAL = `
  INSERT INTO merchant_fence AS f (merchant, state, other_cell)
  SELECT $1, 'arriving', $2
  WHERE EXISTS (SELECT FROM merchant_fence WHERE merchant = $1) OR NOT EXISTS (SELECT FROM merchant WHERE id = $1)
  ON CONFLICT (merchant) DO UPDATE SET state = excluded.state, other_cell = excluded.other_cell, since = excluded.since,
    stay = NULL, opening = NULL, overtaken_at = NULL, lost_since = NULL
  WHERE f.state IN ('arriving', 'ready', 'left')
  RETURNING 1`;

/**
 * Lets a copy of the merchant arrive, or takes back that it is complete. Who has left before may come back so. Throws
 * validation_failed if the merchant is open in this cell: its rows must not be replaced.
 */
export async function fenceArrival(owner: Owner, merchantId: string, from: string): Promise<void> {
  const fenced = await owner.query(FENCE_ARRIVAL, merchantId, from);
  if (fenced.length === 0)
    throw validationError("the merchant", `is open in ${owner.cell.name} already, although it is in ${from} as well`);
}

/** True if the merchant has been in the cell before and has left it. */
export async function hasBeenHere(owner: Owner, merchantId: string): Promise<boolean> {
  const rows = await owner.query("SELECT FROM merchant_fence WHERE merchant = $1 AND state = 'left'", merchantId);
  return rows.length > 0;
}

/** True if the merchant has come to the cell by a move before. */
export async function hasStayed(owner: Owner, merchantId: string): Promise<boolean> {
  const rows = await owner.query("SELECT FROM merchant_stay WHERE merchant = $1", merchantId);
  return rows.length > 0;
}

/** True while a copy of the merchant arrives in the cell. */
export async function isArriving(owner: Owner, merchantId: string): Promise<boolean> {
  const rows = await owner.query("SELECT FROM merchant_fence WHERE merchant = $1 AND state = 'arriving'", merchantId);
  return rows.length > 0;
}

/** Removes the fence of an arrival that was aborted. */
export async function endArrival(owner: Owner, merchantId: string): Promise<void> {
  await owner.query("DELETE FROM merchant_fence WHERE merchant = $1 AND state IN ('arriving', 'ready')", merchantId);
}

/** Ends an arrival that was aborted, where the merchant had left before: its names from here lead to the other cell again. */
export async function leaveAgain(owner: Owner, merchantId: string, otherCell: string): Promise<void> {
  await owner.query(
    `UPDATE merchant_fence SET state = 'left', other_cell = $2, since = now(), stay = NULL, opening = NULL
     WHERE merchant = $1 AND state IN ('arriving', 'ready')`,
    merchantId,
    otherCell,
  );
}

/**
 * Closes the merchant in the old cell: `closing` for new work, `leaving` for all work. Does nothing and returns
 * false for `closing` while a transaction holds the fences.
 */
export async function fenceDeparture(
  owner: Owner,
  merchantId: string,
  state: "closing" | "leaving",
  to: string,
): Promise<boolean> {
  const fenced = await owner.query(
    `INSERT INTO merchant_fence (merchant, state, other_cell, since)
     SELECT $1, $2, $3, clock_timestamp() WHERE $2 = 'leaving' OR pg_try_advisory_xact_lock(${CLOSING_LOCK})
     ON CONFLICT (merchant) DO UPDATE SET state = excluded.state, other_cell = excluded.other_cell, since = excluded.since
     RETURNING 1`,
    merchantId,
    state,
    to,
  );
  return fenced.length > 0;
}

/** Opens the merchant in the old cell again, unless it has left. */
export async function liftDeparture(owner: Owner, merchantId: string): Promise<void> {
  await owner.query("DELETE FROM merchant_fence WHERE merchant = $1 AND state IN ('closing', 'leaving')", merchantId);
}

const POLL_MS = 5;

/** Sessions that write nothing for the merchant, however long they run: backups, our own reports, and moves of other merchants. */
const READERS = ["pg_dump", REPORTS_NAME, MOVER_NAME];

const OPEN_TRANSACTIONS = `
  SELECT l.virtualtransaction AS id,
         format('A transaction of session %s (%s)', l.pid, coalesce(nullif(a.application_name, ''), 'unnamed')) AS name
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE l.locktype = 'virtualxid' AND l.granted AND l.pid <> pg_backend_pid() AND a.datname = current_database()
    AND a.backend_type NOT IN ('autovacuum worker', 'walsender') AND NOT coalesce(a.application_name, '') = ANY ($1)`;

/** A transaction of another session. */
interface OpenTransaction {
  readonly id: string;
  /** What it is, for the beginning of a sentence. */
  readonly name: string;
}

/**
 * Waits until each transaction that is open now has ended: it may have begun before a fence, and still write. Returns those
 * that have not ended within that time, in ms.
 */
export async function waitForOlderTransactions(owner: Owner, withinMs: number): Promise<OpenTransaction[]> {
  let older = await owner.query<OpenTransaction>(OPEN_TRANSACTIONS, READERS);
  for (const end = performance.now() + withinMs; older.length > 0 && performance.now() < end; await sleep(POLL_MS)) {
    const open = await owner.query<OpenTransaction>(OPEN_TRANSACTIONS, READERS);
    const ids = new Set(open.map(({ id }) => id));
    older = older.filter(({ id }) => ids.has(id));
  }
  return older;
}

const UNDER_WAY = `
  SELECT EXISTS (SELECT FROM idempotency_key k WHERE k.merchant_id = $1 AND k.lease_until > now()
                   AND k.created_at > now() - interval '1 minute' AND NOT EXISTS (
                   SELECT FROM idempotency_seal s
                   WHERE (s.merchant_id, s.api_key_id, s.key) = (k.merchant_id, k.api_key_id, k.key)))
      OR EXISTS (SELECT FROM delivery WHERE merchant_id = $1 AND in_flight AND due_at > now())
      OR EXISTS (SELECT FROM provider_attempt WHERE merchant_id = $1 AND state = 'started'
                   AND id > id_bound_at('att_', now() - interval '1 minute')) AS is_busy`;

/** Waits for requests, deliveries and calls to providers of the merchant that are under way, for that time in ms at most. */
export async function waitForWorkUnderWay(owner: Owner, merchantId: string, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(POLL_MS)) {
    const [row] = await owner.query<{ is_busy: boolean }>(UNDER_WAY, merchantId);
    if (!row?.is_busy) return;
  }
}
