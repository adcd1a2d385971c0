// What the start checks of the database's addresses: that the statements work through a pooler in between, that they run under
// their settings, and that migrations reach the same database (docs/decisions/0031).
import { randomBytes, randomInt } from "node:crypto";
import type { Client } from "pg";
import { ConfigurationError } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { queryAcrossMerchants } from "./client";
import { connectWhenReady } from "./first-connection";
import { RESTRICTED_ROLE, type StatementNaming } from "./reach-client";
import { FOR_REQUESTS } from "./session-settings";

const REJECTS_PARAMETER = /unsupported startup parameter/;
const REJECTS_TRANSACTIONS = /statement pooling mode/;

/** Rounds in which a pooler shows that it shares its connections; the first shows it unless others use the pooler too. */
const ROUNDS = 5;

function faultOf(error: unknown): string | null {
  const message = error instanceof Error ? error.message : "";
  if (REJECTS_PARAMETER.test(message))
    return "DATABASE_URL leads to a pooler that rejects one of its parameters: remove options from the address, or add it to PgBouncer's ignore_startup_parameters";
  if (REJECTS_TRANSACTIONS.test(message))
    return "DATABASE_URL leads to a pooler that allows no transactions: set pool_mode=transaction in PgBouncer";
  return null;
}

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid ?? 0;
}

/** True if the server has the client's own name of a statement. A pooler that supports them gives it another. */
async function keepsName(client: Client): Promise<boolean> {
  const name = `sluice_probe_${randomBytes(8).toString("hex")}`;
  const text = `SELECT 1 AS ${name}`;
  await client.query("BEGIN");
  await client.query({ name, text });
  const { rows } = await client.query("SELECT FROM pg_prepared_statements WHERE name = $1", [name]);
  // The server's session goes on behind a pooler.
  if (rows.length > 0) await client.query(`DEALLOCATE ${name}`);
  await client.query("COMMIT");
  return rows.length > 0;
}

/** True if transactions of one client may run in several sessions of the server, or those of two clients in one. */
async function sharesSessions(one: Client, other: Client): Promise<boolean> {
  const first = await processOf(one);
  for (let round = 0; round < ROUNDS; round += 1) {
    // With an even number, a pooler that takes two sessions in turn would give each client always the same one.
    const own = [await processOf(one), await processOf(one)];
    if (own.some((pid) => pid !== first) || (await processOf(other)) === first) return true;
  }
  return false;
}

/** The process that the server named when the connection began; a pooler invents one. */
function isDirect(client: Client, pid: number): boolean {
  return (client as unknown as { readonly processID: number | null }).processID === pid;
}

async function probe(clients: readonly [Client, Client], statements: StatementNaming): Promise<void> {
  const [one, other] = clients;
  const keeps = await keepsName(one);
  const direct = isDirect(one, await processOf(one));
  if (statements === "unnamed") {
    if (direct) log().warn("DATABASE_STATEMENTS=unnamed costs time, and DATABASE_URL leads to no pooler: omit it");
    return;
  }
  if (keeps && !direct && (await sharesSessions(one, other)))
    throw new ConfigurationError([
      "DATABASE_URL leads to a pooler in transaction mode that does not support named statements: set DATABASE_STATEMENTS=unnamed, or max_prepared_statements above 0 in PgBouncer 1.21 or newer",
    ]);
}

/**
 * Checks that statements named or unnamed work through DATABASE_URL, whatever pooler is in between. Waits for 15 s until it
 * accepts connections. Throws ConfigurationError.
 */
export async function checkPooler(databaseUrl: string, statements: StatementNaming): Promise<void> {
  const clients: Client[] = [];
  try {
    const one = await connectWhenReady(databaseUrl);
    clients.push(one);
    const other = await connectWhenReady(databaseUrl);
    clients.push(other);
    await probe([one, other], statements);
  } catch (error) {
    const fault = faultOf(error);
    throw fault ? new ConfigurationError([fault]) : error;
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

const SETTINGS = "SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS setting(name)";

/** Checks that a statement of a request runs under these settings. Throws ConfigurationError. */
export async function checkSettings(settings = FOR_REQUESTS): Promise<void> {
  const found = await queryAcrossMerchants<{ name: string; value: string }>(SETTINGS, Object.keys(settings));
  const wrong = found.filter(({ name, value }) => value !== settings[name]);
  if (wrong.length === 0) return;
  const list = wrong.map(({ name, value }) => `${name} is ${value} instead of ${settings[name]}`).join(", ");
  throw new ConfigurationError([
    `DATABASE_URL leads to a server or pooler that ignores settings of statements: ${list}`,
  ]);
}

/** True if row-level security binds the statements of requests. */
export async function isRoleRestrictedAcrossMerchants(): Promise<boolean> {
  const [row] = await queryAcrossMerchants<{ is_restricted: boolean }>(
    "SELECT current_user = $1 AS is_restricted",
    RESTRICTED_ROLE,
  );
  return row?.is_restricted ?? false;
}

/** Logs a warning if row-level security does not bind the statements of requests. Call it once the database is migrated. */
export async function checkRole(): Promise<void> {
  if (await isRoleRestrictedAcrossMerchants()) return;
  log().warn(
    { role: RESTRICTED_ROLE },
    "row-level security is off: the database has no restricted role for this user; see docs/operating.md",
  );
}

const LOCK = "SELECT pg_advisory_xact_lock($1, $2)";
const IS_LOCKED = `
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = $1 AND objid = $2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Checks that migrations change the database that the service uses: a lock that is taken through one address is seen through the
 * other. Throws ConfigurationError.
 */
export async function checkDirectAddress(directUrl: string): Promise<void> {
  const direct = await connectWhenReady(directUrl);
  try {
    const lock = [randomInt(2 ** 31), randomInt(2 ** 31)] as const;
    await direct.query("BEGIN");
    await direct.query(LOCK, [...lock]);
    const isSeen = (await queryAcrossMerchants(IS_LOCKED, ...lock)).length > 0;
    await direct.query("ROLLBACK");
    if (!isSeen) throw new ConfigurationError(["DATABASE_DIRECT_URL and DATABASE_URL name different databases"]);
  } finally {
    await direct.end();
  }
}
