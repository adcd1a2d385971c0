// A connection whose every statement runs as the restricted role and reaches only the rows of the running work's merchants.
// Role and merchants are set in the statement's own transaction, by messages that travel with it. So are the settings of the
// session where a pooler gives each transaction another one (docs/decisions/0031).
import { AsyncResource } from "node:async_hooks";
import { Client, type Connection, Pool, type PoolConfig, Query, type QueryConfig } from "pg";
import { acrossMerchants, currentReach } from "@/server/platform/reach";
import { noteFailure } from "./failures";
import type { SessionSettings } from "./session-settings";

/** The role that row-level security binds; prisma/app-role.sql creates it. */
export const RESTRICTED_ROLE = "sluice_app";
/** What `role` is set to where the database has no restricted role for us. */
const OWN_ROLE = "none";

/** named: prepared once a connection. unnamed: prepared each time, for poolers that do not pass names on. */
export type StatementNaming = "named" | "unnamed";

/** The name of the opening, where statements have names. */
const OPENING = "sluice_reach";

/** What precedes every statement of a connection, in its transaction. */
interface Opening {
  /** Undefined if it is prepared each time. */
  readonly name?: string;
  readonly text: string;
}

/**
 * The reach $2 beside the fences of merchants that move to another cell (docs/decisions/0082). Work of all merchants goes on
 * without them; work that names one fails, unless it may still end what it has begun.
 */
const FENCED_REACH = "reach_beside_fences($2)";

/**
 * Sets role and reach, and the settings that cannot stay on the session. It gives no row, which every statement would have to
 * read.
 */
function openingText(settings: SessionSettings, reach: string): string {
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  const all = ["set_config('role', $1, true)", `set_config('sluice.reach', ${reach}, true)`, ...set];
  return `SELECT WHERE num_nulls(${all.join(", ")}) > 0`;
}

/**
 * The first statement of a connection. A pooler invents the process id that it shows to its client, so only the server itself
 * has the one that the connection began with; there the settings stay until the connection ends.
 */
const BEGIN_SESSION = `
  SELECT pg_backend_pid() = $1 AS is_direct,
         EXISTS (SELECT FROM pg_roles WHERE rolname = '${RESTRICTED_ROLE}' AND pg_has_role(oid, 'MEMBER')) AS is_restricted,
         to_regprocedure('reach_beside_fences(text)') IS NOT NULL AS has_fences,
         (SELECT count(set_config(name, value, false)) FROM unnest($2::text[], $3::text[]) AS setting(name, value)
          WHERE pg_backend_pid() = $1) AS settings`;

interface BegunSession {
  readonly is_direct: boolean | null;
  readonly is_restricted: boolean;
  /** False for a database that is not migrated yet. */
  readonly has_fences: boolean;
}

/** A transaction's own commands read no rows; after a failed statement, Postgres accepts nothing but ROLLBACK. */
const IS_CONTROL = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;

type Callback = (error: Error | null, result?: unknown) => void;
type Config = QueryConfig & { readonly query_timeout?: number };

/** What @types/pg leaves out of pg's Query. */
interface SentQuery {
  callback?: Callback;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const SentQuery = Query as unknown as new (config: Config, values?: unknown, callback?: Callback) => SentQuery;

/** Executes the opening and then the statement, with one Sync: Postgres runs both in one transaction. */
class ReachQuery extends SentQuery {
  private isOpened = false;

  constructor(
    private readonly opening: Opening,
    private readonly reach: string[],
    config: Config,
    values: unknown,
    callback: Callback | undefined,
  ) {
    super(config, values, callback);
    // The simple protocol of a text without values could not carry the statement before it. pg reads both from the query.
    Object.assign(this, { queryMode: "extended", query_timeout: config.query_timeout });
  }

  override prepare(connection: Connection): void {
    const { name, text } = this.opening;
    if (name === undefined) connection.parse({ name: "", text, types: [] }, true);
    connection.bind({ statement: name ?? "", values: this.reach }, true);
    connection.execute(null, true);
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isOpened) super.handleCommandComplete(message, connection);
    else this.isOpened = true;
  }
}

/** pg's own `query`, in the one form that takes a query object. */
type Submit = (query: SentQuery) => void;

/** The connection's own event calls it, outside the work that sent the statement: so the cell is named. */
function notingFailures(callback: Callback, cell: string | undefined): Callback {
  return (error, result) => {
    if (error) noteFailure(error, cell);
    callback(error, result);
  };
}

/** Reads the database over a new connection. Throws if it is not the one that the connection is for. */
export type Admission = (ask: <Row>(config: QueryConfig) => Promise<readonly Row[]>) => Promise<void>;

interface ReachConfig extends PoolConfig {
  readonly session: SessionSettings;
  readonly statements: StatementNaming;
  /** The cell that the database is; the first one if omitted. */
  readonly cell?: string;
  readonly admit?: Admission;
}

/** Sets the reach before every statement. Throws OutOfReach for a statement of work that has none. */
class ReachClient extends Client {
  private readonly session: SessionSettings;
  private readonly isNamed: boolean;
  private readonly cell: string | undefined;
  private readonly admit: Admission | undefined;
  private opening: Opening;
  /** Found by each connection for itself: a migration may create the role after another connection began. */
  private role = OWN_ROLE;

  constructor(config: ReachConfig) {
    super(config);
    this.session = config.session;
    this.isNamed = config.statements === "named";
    this.cell = config.cell;
    this.admit = config.admit;
    this.opening = this.openingWith(config.session, "$2");
  }

  private openingWith(settings: SessionSettings, reach: string): Opening {
    return { ...(this.isNamed && { name: OPENING }), text: openingText(settings, reach) };
  }

  /** All forms of pg's `query`; `never` stands for the result of each. */
  override query(...given: unknown[]): never {
    const [first, second, third] = given;
    const named = (typeof first === "string" ? { text: first } : first) as Config;
    const config = this.isNamed ? named : { ...named, name: undefined };
    const own = super.query as (...given: unknown[]) => unknown;
    if (IS_CONTROL.test(config.text)) return own.call(this, config, second, third) as never;
    const [values, callback] = typeof second === "function" ? [undefined, second] : [second, third];
    const query = new ReachQuery(
      this.opening,
      [this.role, currentReach()],
      config,
      values,
      callback as Callback | undefined,
    );
    const submit = own.bind(this) as Submit;
    if (query.callback) {
      query.callback = notingFailures(query.callback, this.cell);
      return submit(query) as never;
    }
    const answer = new Promise((resolve, reject) => {
      query.callback = notingFailures((error, result) => (error ? reject(error) : resolve(result)), this.cell);
      submit(query);
    });
    return answer as never;
  }

  /** Begins the session: its settings stay, or travel with each statement; its role is known. */
  async beginSession(): Promise<void> {
    const ask = super.query.bind(this) as (config: Config) => Promise<{ readonly rows: readonly unknown[] }>;
    const values = [this.processId(), Object.keys(this.session), Object.values(this.session)];
    const { rows } = await ask({ text: BEGIN_SESSION, values });
    const begun = rows[0] as BegunSession | undefined;
    this.opening = this.openingWith(begun?.is_direct ? {} : this.session, begun?.has_fences ? FENCED_REACH : "$2");
    if (this.isNamed) await ask({ ...this.opening, values: [OWN_ROLE, ""] });
    if (begun?.is_restricted) this.role = RESTRICTED_ROLE;
    const own = this.query.bind(this) as unknown as (
      config: QueryConfig,
    ) => Promise<{ readonly rows: readonly never[] }>;
    await this.admit?.(async (config) => (await acrossMerchants(() => own(config))).rows);
  }

  /** The server process that the connection began with; null if none was named. */
  private processId(): number | null {
    return (this as unknown as { readonly processID: number | null }).processID;
  }
}

/** Connections of one database; the pool waits for `onConnect`, which its types do not say. A statement that waits for a free one keeps the reach of the work that sent it. */
export class ReachPool extends Pool {
  private readonly cell: string | undefined;

  constructor(config: ReachConfig) {
    const own = { Client: ReachClient, onConnect: (client: ReachClient) => client.beginSession() };
    super({ ...config, ...own } as unknown as PoolConfig);
    this.cell = config.cell;
  }

  override connect(...given: unknown[]): never {
    const [callback] = given;
    const own = super.connect as (...given: unknown[]) => unknown;
    if (typeof callback === "function") {
      const connected = callback as (error: Error | undefined, ...more: unknown[]) => unknown;
      const noting: typeof connected = (error, ...more) => {
        if (error) noteFailure(error, this.cell);
        return connected(error, ...more);
      };
      return own.call(this, AsyncResource.bind(noting)) as never;
    }
    const connecting = own.call(this) as Promise<unknown>;
    connecting.catch((error: unknown) => noteFailure(error, this.cell));
    return connecting as never;
  }
}
