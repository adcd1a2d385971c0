// Classifies database errors: which constraint rejected a write, and whether the database was reachable.
import { cellIfKnown } from "@/server/platform/cell";
import { FIRST_CELL } from "@/server/platform/cells-setting";
import { countDatabaseFailure } from "./database-metrics";

/** An error from Postgres or from the connection to it. */
interface DatabaseError {
  /** SQLSTATE, or the system's name of a socket error. */
  readonly code: string;
  readonly message: string;
}

/** What Prisma's adapter makes of a database error under a model call. */
interface AdapterCause {
  readonly originalCode?: string;
  readonly originalMessage?: string;
  readonly kind?: string;
}

/** The database error behind an error of `pg` or of a model call. */
function databaseErrorOf(error: unknown): DatabaseError | null {
  if (typeof error !== "object" || error === null) return null;
  const { meta, code, message } = error as {
    readonly meta?: { readonly driverAdapterError?: { readonly cause?: AdapterCause } };
    readonly code?: unknown;
    readonly message?: unknown;
  };
  const text = typeof message === "string" ? message : "";
  const cause = meta?.driverAdapterError?.cause;
  if (!cause) return { code: typeof code === "string" ? code : "", message: text };
  const { originalCode = "", originalMessage = "", kind = "" } = cause;
  return { code: originalCode, message: `${text} ${originalMessage} ${kind}` };
}

/** True when the named constraint or unique key refused the statement. */
export function isRefusedBy(error: unknown, constraint: string): boolean {
  return databaseErrorOf(error)?.message.includes(`"${constraint}"`) ?? false;
}

/** SQLSTATE classes of a server in trouble: connection, resources, locks, shutdown or time-out, failed reads and writes of files. */
const OUTAGE_CLASSES = ["08", "53", "55", "57", "58"];
/** A primary that a failover has just demoted refuses to write. */
const READ_ONLY = "25006";
/** The server ended a transaction that was idle, or open, for too long. */
const TRANSACTION_EXPIRED = ["25P03", "25P04"];
const CONFLICT_STATES = ["40001", "40P01"];
const OUTAGE_STATES = [READ_ONLY, ...TRANSACTION_EXPIRED, ...CONFLICT_STATES];
/** Names of errors of the system: the server is not reached, or this process cannot open a connection. */
const SYSTEM_ERRORS = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EMFILE",
  "ENFILE",
  "EAI_AGAIN",
  "ENOTFOUND",
];
const DRIVER_ERRORS = [
  "timeout exceeded when trying to connect",
  "Connection terminated",
  "is not queryable",
  "Query read timeout",
  "not yet accepting connections",
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
];
const OUTAGE_WORDS = new RegExp([...SYSTEM_ERRORS, ...DRIVER_ERRORS].join("|"), "i");

/** What the database says of work for a merchant that moves between cells, and of one that is in another (docs/decisions/0082). */
const MERCHANT_MOVES = "P0M01";
const MERCHANT_HAS_LEFT = "P0M02";

/** True if the merchant of the work is in another cell. Nothing was done, and nothing ever will be done here. */
export function hasMerchantLeft(error: unknown): boolean {
  return databaseErrorOf(error)?.code === MERCHANT_HAS_LEFT;
}

/** True if the merchant of the work moves to another cell, or has. Nothing was done. */
export function isMerchantAway(error: unknown): boolean {
  return hasMerchantLeft(error) || databaseErrorOf(error)?.code === MERCHANT_MOVES;
}

/** True when a retry may succeed: the database is away, out of connections, or lost a lock race; or the merchant is. */
export function isDatabaseOutage(error: unknown): boolean {
  const complaint = databaseErrorOf(error);
  if (!complaint) return false;
  if (isMerchantAway(error)) return true;
  const { code, message } = complaint;
  if (OUTAGE_CLASSES.some((prefix) => code.startsWith(prefix)) || OUTAGE_STATES.includes(code)) return true;
  return OUTAGE_WORDS.test(`${code} ${message}`);
}

/** Next's bundles and the custom server are separate module graphs; they share what hangs on globalThis. */
const shared = globalThis as typeof globalThis & { sluiceOutages?: Map<string, number> };

/** Remembers when a cell's database last failed a statement or connection for a reason of its own. */
export function noteFailure(error: unknown, cell = FIRST_CELL): void {
  if (!isDatabaseOutage(error) || isMerchantAway(error)) return;
  shared.sluiceOutages ??= new Map();
  shared.sluiceOutages.set(cell, performance.now());
  countDatabaseFailure(cell);
}

/**
 * True if the database of the running work's cell has failed this process since then, an instant of `performance.now()`; of
 * any cell for work without one.
 */
export function hasFailedSince(instant: number): boolean {
  const outages = shared.sluiceOutages ?? new Map<string, number>();
  const cell = cellIfKnown();
  const instants = cell ? [outages.get(cell.name) ?? Number.NEGATIVE_INFINITY] : [...outages.values()];
  return instants.some((at) => at >= instant);
}

/** SQLSTATE classes of what one row or value in a statement causes: data, constraints, RAISE; and lost lock races. */
const ATTRIBUTABLE_CLASSES = ["22", "23", "P0", "40"];
const LOCK_NOT_AVAILABLE = "55P03";
const UNIQUE_VIOLATION = "23505";

/**
 * True for an error that one row in a statement may have caused and that certainly left nothing done, so the other rows
 * can be written without it. False for everything whose outcome is unknown: a broken connection, a time-out, a shutdown.
 */
export function isAttributable(error: unknown): boolean {
  const code = databaseErrorOf(error)?.code ?? "";
  return isLockTimeout(error) || (code.length === 5 && ATTRIBUTABLE_CLASSES.includes(code.slice(0, 2)));
}

/** True when another session held a lock for longer than a statement waits: nothing was done. */
export function isLockTimeout(error: unknown): boolean {
  return databaseErrorOf(error)?.code === LOCK_NOT_AVAILABLE;
}

/** True when another row has a name that is unique: nothing was done. */
export function isUniqueViolation(error: unknown): boolean {
  return databaseErrorOf(error)?.code === UNIQUE_VIOLATION;
}

/** True for a deadlock or serialization failure: nothing was done, and doing it again at once is right. */
function isLockConflict(error: unknown): boolean {
  return CONFLICT_STATES.includes(databaseErrorOf(error)?.code ?? "");
}

const LOCK_CONFLICT_RETRIES = 5;

/** Runs the work, and again, at most five times, after it lost a lock race. The work must begin its own transaction. */
export async function retryOnLockConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLockConflict(error) || retry === LOCK_CONFLICT_RETRIES) throw error;
    }
  }
}

/** What the work gives, or `instead` when another session is at the same rows: it lost a lock race, or waited too long. */
export async function orOnLockConflict<Result>(work: Promise<Result>, instead: Result): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (isLockConflict(error) || isLockTimeout(error)) return instead;
    throw error;
  }
}
