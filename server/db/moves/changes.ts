// What changes in the old cell while a merchant's rows are copied: triggers for this merchant alone note the keys of its rows.
import { setTimeout as sleep } from "node:timers/promises";
import { isLockTimeout } from "../failures";
import { literal } from "../invariants/relations";
import { type Owner, transact } from "./owner";
import type { Key } from "./rows";
import type { MovedTable } from "./shape";

/** Whoever writes the table waits behind a try; between tries they pass. */
const LOCK_TRIES = 120;
const LOCK_PAUSE_MS = 500;

const ACTS = [
  { act: "INSERT", rows: ["NEW"] },
  { act: "UPDATE", rows: ["OLD", "NEW"] },
  { act: "DELETE", rows: ["OLD"] },
] as const;

const nameOf = (moveId: string, act: string): string => `note_${act.toLowerCase()}_${moveId}`;

function creations({ name, merchantColumn, key }: MovedTable, moveId: string, merchantId: string): string {
  const given = [merchantId, name, ...key.map((column) => column.name)].map(literal).join(", ");
  const triggers = ACTS.map(({ act, rows }) => {
    const isOurs = rows.map((row) => `${row}.${merchantColumn} = ${literal(merchantId)}`).join(" OR ");
    return `CREATE OR REPLACE TRIGGER ${nameOf(moveId, act)} AFTER ${act} ON ${name}
      FOR EACH ROW WHEN (${isOurs}) EXECUTE FUNCTION note_move_change(${given})`;
  });
  return triggers.join(";");
}

const removals = ({ name }: MovedTable, moveId: string): string =>
  ACTS.map(({ act }) => `DROP TRIGGER IF EXISTS ${nameOf(moveId, act)} ON ${name}`).join(";");

/** Runs statements that lock a table, in short tries. */
async function withTableLock(owner: Owner, sql: string): Promise<void> {
  for (let left = LOCK_TRIES; ; left -= 1) {
    try {
      return await transact(owner, "BEGIN", async () => void (await owner.query(sql)));
    } catch (error) {
      if (!isLockTimeout(error) || left === 0) throw error;
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/**
 * Makes the triggers of a move on a table; may be repeated. Each transaction that has written the table has ended before, and
 * each later one notes what it writes.
 */
export function noteChanges(owner: Owner, table: MovedTable, moveId: string, merchantId: string): Promise<void> {
  return withTableLock(owner, creations(table, moveId, merchantId));
}

/** Removes the triggers of a move from a table; may be repeated. */
export function stopNoting(owner: Owner, table: MovedTable, moveId: string): Promise<void> {
  return withTableLock(owner, removals(table, moveId));
}

export interface Changes {
  /** The notes, to be deleted once their rows are copied. */
  readonly ids: readonly string[];
  /** Table to keys. */
  readonly keys: ReadonlyMap<string, readonly Key[]>;
}

/** What is noted now. */
export async function readChanges(owner: Owner, merchantId: string): Promise<Changes> {
  const rows = await owner.query<{ table_name: string; ids: string[]; keys: Key[] }>(
    `SELECT table_name, array_agg(id::text) AS ids, array_agg(DISTINCT key::text) AS keys
     FROM merchant_move_change WHERE merchant = $1 GROUP BY table_name`,
    merchantId,
  );
  return {
    ids: rows.flatMap(({ ids }) => ids),
    keys: new Map(rows.map(({ table_name, keys }) => [table_name, keys])),
  };
}

/** Notes rows as if they had changed, so that they are copied again. */
export async function noteKeys(
  owner: Owner,
  { name }: MovedTable,
  merchantId: string,
  keys: readonly Key[],
): Promise<void> {
  await owner.query(
    "INSERT INTO merchant_move_change (merchant, table_name, key) SELECT $1, $2, unnest($3::jsonb[])",
    merchantId,
    name,
    keys,
  );
}

/** Deletes notes. */
export async function forgetChanges(owner: Owner, ids: readonly string[]): Promise<void> {
  await owner.query("DELETE FROM merchant_move_change WHERE id = ANY ($1::uuid[])", ids);
}

/** Deletes all notes about the merchant. */
export async function forgetAllChanges(owner: Owner, merchantId: string): Promise<void> {
  await owner.query("DELETE FROM merchant_move_change WHERE merchant = $1", merchantId);
}
