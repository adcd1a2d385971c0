// Connections of a move: as the owner of the tables, who alone writes fences and makes triggers, and without a pooler, since
// locks and settings belong to the session.
import { Client, type Connection } from "pg";
import type { Cell } from "@/server/platform/cell";

/** A cell's database as the owner of its tables. */
export interface Owner {
  readonly cell: Cell;
  /** False behind a pooler, which gives each transaction another session. */
  readonly isDirect: boolean;
  /** Runs one statement, or the statements of a text without values. An int8 is read as text. Throws the error of `pg`. */
  query<Row>(sql: string, ...values: unknown[]): Promise<Row[]>;
  /** Breaks the connection, also in the middle of a statement, which then rejects. The server ends the session with its locks. */
  cut(): void;
  /** Closes the connection, and with it gives up its locks. */
  end(): Promise<void>;
}

const CONNECTS_WITHIN_MS = 5_000;
/** By which the server names the sessions of a move. */
export const MOVER_NAME = "sluice move";

/**
 * Rows travel as text, which must be the same in both cells. A server that loses this process ends the session within some
 * 15 s, so that its locks do not outlive it.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  timezone: "UTC",
  datestyle: "ISO",
  intervalstyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  search_path: "public",
  // Rows are read along the primary key, and joins go from some keys to their rows. Before a table's first ANALYZE the planner
  // believes otherwise, and would sort all rows for each page.
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_sort: "off",
  enable_bitmapscan: "off",
  // See session-settings.ts: nearly every statement of a move would be compiled.
  jit: "off",
  lock_timeout: "500ms",
  statement_timeout: "10min",
  // What was copied must outlast a crash of the new cell: its notes are deleted then.
  synchronous_commit: "on",
  tcp_keepalives_idle: "5",
  tcp_keepalives_interval: "2",
  tcp_keepalives_count: "5",
};

const BEGIN_SESSION = `
  SELECT pg_backend_pid() AS pid, count(set_config(name, value, false))
  FROM unnest($1::text[], $2::text[]) AS setting(name, value)`;

/** Opens a connection to the cell's database, past its pooler. Throws the error of `pg` if it does not answer within 5 s. */
export async function openOwner(cell: Cell): Promise<Owner> {
  const client = new Client({
    connectionString: cell.databaseDirectUrl ?? cell.databaseUrl ?? "",
    connectionTimeoutMillis: CONNECTS_WITHIN_MS,
    keepAlive: true,
    application_name: MOVER_NAME,
  });
  // A connection that breaks rejects the statement under way; without a listener it would also end the process.
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(BEGIN_SESSION, [Object.keys(SETTINGS), Object.values(SETTINGS)]);
  return {
    cell,
    isDirect: rows[0]?.pid === (client as unknown as { readonly processID: number | null }).processID,
    query: async (sql, ...values) => (await client.query(sql, values.length > 0 ? values : undefined)).rows as never,
    cut: () => (client as unknown as { readonly connection: Connection }).connection.stream.destroy(),
    end: () => client.end().catch(() => undefined),
  };
}

/** Runs work in a transaction that `begin` opens. Rolls back and rethrows if the work throws. */
export async function transact<Result>(owner: Owner, begin: string, work: () => Promise<Result>): Promise<Result> {
  await owner.query(begin);
  try {
    const result = await work();
    await owner.query("COMMIT");
    return result;
  } catch (error) {
    // A connection that has broken has rolled back.
    await owner.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Opens a transaction in which all reads see one state. Only notes that this state has are deleted in it. */
export const SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ";

/**
 * Opens a transaction without triggers and foreign keys, for this session alone: the rows have passed them in the old cell, and
 * come and go as a whole.
 */
export const WITHOUT_TRIGGERS = "BEGIN; SET LOCAL session_replication_role = replica";
