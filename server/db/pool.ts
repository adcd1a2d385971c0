// The connections to Postgres: the pool's settings, and statements sent by hand.
import { createHash } from "node:crypto";
import { type Pool, type PoolClient, types } from "pg";
import { log } from "@/server/platform/log";
import { isAttributable } from "./failures";
import { parseInstant, toWireInstant } from "./instants";
import { type Admission, ReachPool, type StatementNaming } from "./reach-client";
import type { SessionSettings } from "./session-settings";

/** How long a statement may wait for a free connection, in ms. */
const ACQUIRE_TIMEOUT_MS = 3_000;

export interface PoolSettings {
  /** Connections. */
  readonly max: number;
  readonly session: SessionSettings;
  /** Whether statements are prepared by name, once a connection, or each time. */
  readonly statements: StatementNaming;
  /** The cell that the database is; the first one if omitted. */
  readonly cell?: string;
  /** What a new connection must find; nothing if omitted. */
  readonly admit?: Admission;
  /** Our own timer, in ms, for a server that has stopped and so ends nothing itself: the connection is given up. */
  readonly statementEndsWithinMs: number;
}

/** A pool of its own, which the caller ends. Its connections are made when they are needed. */
export function createPool(connectionString: string, settings: PoolSettings): Pool {
  const pool = new ReachPool({
    connectionString,
    max: settings.max,
    query_timeout: settings.statementEndsWithinMs,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    keepAlive: true,
    session: settings.session,
    statements: settings.statements,
    ...(settings.cell !== undefined && { cell: settings.cell }),
    ...(settings.admit !== undefined && { admit: settings.admit }),
  });
  // An idle connection that breaks must not end the process; the pool replaces it. A closing pool ends its connections anyway.
  pool.on("error", (error) => {
    if (!pool.ending) log().warn({ error: error.message }, "an idle database connection broke");
  });
  return pool;
}

const statementNames = new Map<string, string>();

/** The same text gets the same name, so each connection parses and plans a statement once. */
export function statementName(sql: string): string {
  let name = statementNames.get(sql);
  if (!name) {
    name = createHash("sha1").update(sql).digest("hex");
    statementNames.set(sql, name);
  }
  return name;
}

type Parser = (text: string) => unknown;

/** How values of a statement's rows are read. */
interface Reading {
  getTypeParser(oid: number, format?: "text" | "binary"): Parser;
}

const readingWith = (parsers: Readonly<Record<number, Parser>>): Reading => ({
  getTypeParser: (oid, format) => parsers[oid] ?? (types.getTypeParser(oid, format as "text") as Parser),
});

/** An int8 as bigint, a timestamptz as Date. */
const AS_VALUES = readingWith({ [types.builtins.INT8]: BigInt, [types.builtins.TIMESTAMPTZ]: parseInstant });
/** A timestamptz as its text on the wire. */
export const FOR_WIRE = readingWith({ [types.builtins.INT8]: BigInt, [types.builtins.TIMESTAMPTZ]: toWireInstant });

/** A connection that breaks under a statement fails that statement; the event says nothing more. */
const ignore = (): void => {};

/** A connection of the pool, for one statement or transaction. */
interface Borrowed {
  readonly client: PoolClient;
  /** Ends the loan. With the error that left its state unknown, the connection is closed. */
  readonly giveBack: (error?: Error) => void;
}

/** Waits for a connection, for `ACQUIRE_TIMEOUT_MS` at most. */
export async function borrow(pool: Pool): Promise<Borrowed> {
  const client = await pool.connect();
  client.on("error", ignore);
  const giveBack = (error?: Error): void => {
    client.off("error", ignore);
    client.release(error);
  };
  return { client, giveBack };
}

/** Runs one statement on a connection; its name is made of its text. Waits `withinMs` for the answer at most. */
export async function send<Row>(
  client: PoolClient,
  sql: string,
  values: readonly unknown[],
  withinMs: number,
  reading: Reading = AS_VALUES,
): Promise<{ readonly command: string; readonly rows: Row[] }> {
  const query_timeout = Math.max(1, Math.ceil(withinMs));
  const statement = { name: statementName(sql), text: sql, values: [...values], types: reading, query_timeout };
  const { command, rows } = await client.query(statement);
  return { command, rows: rows as Row[] };
}

/**
 * Runs one statement on a connection of its own. Waiting for the connection and for the answer takes `withinMs` at most.
 * Only an error that leaves the connection whole gives it back to the pool.
 */
export async function runStatement<Row>(
  pool: Pool,
  sql: string,
  values: readonly unknown[],
  withinMs: number,
  reading?: Reading,
): Promise<Row[]> {
  const startedAt = performance.now();
  const { client, giveBack } = await borrow(pool);
  try {
    const { rows } = await send<Row>(client, sql, values, withinMs - (performance.now() - startedAt), reading);
    giveBack();
    return rows;
  } catch (error) {
    giveBack(isAttributable(error) ? undefined : (error as Error));
    throw error;
  }
}
