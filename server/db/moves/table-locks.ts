// Locks of a whole table while others work with it: whoever waits for one holds up everybody who comes later.
import { setTimeout as sleep } from "node:timers/promises";
import { isLockTimeout } from "../failures";
import type { Owner } from "./owner";

/** A table that others change all the time is free for moments only. */
const BETWEEN_TRIES_MS = 100;
/** What a writer waits behind a try, at first. Where all transactions are slow, it grows after some tries, up to the limit. */
const PATIENCE_MS = 50;
const PATIENCE_GROWS_EVERY = 20;
const MAX_PATIENCE_MS = 400;
/** Postgres ends an autovacuum that somebody has waited for during its `deadlock_timeout`, usually 1 s. */
const VACUUM_LOCK_MS = 2_500;

/** Modes of which SHARE ROW EXCLUSIVE waits for all; readers and backups are not among them. */
const WRITING = ["RowExclusiveLock", "ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"];
const VACUUMING = ["ShareUpdateExclusiveLock"];

/** A session that holds a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly application: string;
}

async function findLongLock(
  owner: Owner,
  table: string,
  modes: readonly string[],
  ageMs: number,
): Promise<LockHolder | null> {
  const sql = "SELECT * FROM find_long_lock($1::regclass, $2, $3 * interval '1 millisecond')";
  const [holder] = await owner.query<LockHolder>(sql, table, modes, ageMs);
  return holder ?? null;
}

/**
 * Runs statements that keep writers of the table away, such as CREATE TRIGGER, in a transaction of their own. It tries only
 * while no transaction has had a lock in the way for long, so nobody waits for more than 50 ms, or 400 ms where transactions are
 * that slow; nor behind a command that stands still. Returns null once it is done, or the session that was in the way if that took
 * longer than `withinMs`, in ms. Throws other errors of `pg`.
 */
export async function runBesideWriters(
  owner: Owner,
  table: string,
  sql: string,
  withinMs: number,
): Promise<LockHolder | null> {
  const end = performance.now() + withinMs;
  for (let tries = 0; ; tries += 1) {
    const patienceMs = Math.min(MAX_PATIENCE_MS, PATIENCE_MS * 2 ** Math.floor(tries / PATIENCE_GROWS_EVERY));
    let holder = await findLongLock(owner, table, WRITING, patienceMs);
    if (!holder) {
      if (await tryToRun(owner, table, sql, patienceMs)) return null;
      holder = await findLongLock(owner, table, [...WRITING, ...VACUUMING], 0);
    }
    if (performance.now() > end) return holder ?? { pid: 0, application: "several in turn" };
    await sleep(BETWEEN_TRIES_MS);
  }
}

/** Returns false if a lock was not got in time. */
async function tryToRun(owner: Owner, table: string, sql: string, patienceMs: number): Promise<boolean> {
  // In one message: a command that stands still, such as after Ctrl-Z, holds no lock then.
  const whole = [
    "BEGIN",
    `SET LOCAL lock_timeout = '${VACUUM_LOCK_MS}ms'`,
    // No reader and no writer waits for this lock, and a vacuum gives way to it.
    `LOCK TABLE ${table} IN SHARE UPDATE EXCLUSIVE MODE`,
    `SET LOCAL lock_timeout = '${patienceMs}ms'`,
    sql,
    "COMMIT",
  ];
  try {
    await owner.query(whole.join(";\n"));
    return true;
  } catch (error) {
    // A connection that has broken has rolled back.
    await owner.query("ROLLBACK").catch(() => undefined);
    if (!isLockTimeout(error)) throw error;
    return false;
  }
}
