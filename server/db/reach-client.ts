// A connection whose every statement runs as the restricted role and reaches only the rows of the running work's merchants.
// Role and merchants are set in the statement's own transaction, by messages that travel with it.
import { AsyncResource } from "node:async_hooks";
import { Client, type Connection, Pool, type PoolConfig, Query, type QueryConfig } from "pg";
import { log } from "@/server/platform/log";
import { currentReach } from "@/server/platform/reach";
import { noteFailure } from "./failures";

/** The role that row-level security binds; prisma/app-role.sql creates it. */
export const RESTRICTED_ROLE = "sluice_app";
/** What `role` is set to where the database has no restricted role for us. */
const OWN_ROLE = "none";

const NAME = "sluice_reach";
/** Gives no row, which every statement would have to read. */
const SET_REACH = "SELECT WHERE num_nulls(set_config('role', $1, true), set_config('sluice.reach', $2, true)) > 0";

const FIND_ROLE = `
  SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = '${RESTRICTED_ROLE}' AND pg_has_role(oid, 'MEMBER')) AS is_ours`;

/** A transaction's own commands read no rows; after a failed statement, Postgres accepts nothing but ROLLBACK. */
const IS_CONTROL = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;

/** The role of this process's statements, found with its first connection. */
const shared = globalThis as typeof globalThis & { sluiceRole?: string };

type Callback = (error: Error | null, result?: unknown) => void;
type Config = QueryConfig & { readonly query_timeout?: number };

/** What @types/pg leaves out of pg's Query. */
interface SentQuery {
  callback?: Callback;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const SentQuery = Query as unknown as new (config: Config, values?: unknown, callback?: Callback) => SentQuery;

/** Executes SET_REACH and then the statement, with one Sync: Postgres runs both in one transaction. */
class ReachQuery extends SentQuery {
  private isReachSet = false;

  constructor(
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
    connection.bind({ statement: NAME, values: this.reach }, true);
    connection.execute(null, true);
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isReachSet) super.handleCommandComplete(message, connection);
    else this.isReachSet = true;
  }
}

/** pg's own `query`, in the one form that takes a query object. */
type Submit = (query: SentQuery) => void;

function notingFailures(callback: Callback): Callback {
  return (error, result) => {
    if (error) noteFailure(error);
    callback(error, result);
  };
}

/** Sets the reach before every statement. Throws OutOfReach for a statement of work that has none. */
class ReachClient extends Client {
  /** All forms of pg's `query`; `never` stands for the result of each. */
  override query(...given: unknown[]): never {
    const [first, second, third] = given;
    const config = (typeof first === "string" ? { text: first } : first) as Config;
    const own = super.query as (...given: unknown[]) => unknown;
    if (IS_CONTROL.test(config.text)) return own.apply(this, given) as never;
    const [values, callback] = typeof second === "function" ? [undefined, second] : [second, third];
    const query = new ReachQuery(
      [shared.sluiceRole ?? OWN_ROLE, currentReach()],
      config,
      values,
      callback as Callback | undefined,
    );
    const submit = own.bind(this) as Submit;
    if (query.callback) {
      query.callback = notingFailures(query.callback);
      return submit(query) as never;
    }
    const answer = new Promise((resolve, reject) => {
      query.callback = notingFailures((error, result) => (error ? reject(error) : resolve(result)));
      submit(query);
    });
    return answer as never;
  }

  /** Prepares the connection, once: SET_REACH is parsed, and the process's role is known. */
  async prepareReach(): Promise<void> {
    const ask = super.query as (config: Config) => Promise<{ readonly rows: readonly { is_ours?: boolean }[] }>;
    await ask.call(this, { name: NAME, text: SET_REACH, values: [OWN_ROLE, ""] });
    if (shared.sluiceRole) return;
    const { rows } = await ask.call(this, { text: FIND_ROLE });
    const isOurs = rows[0]?.is_ours === true;
    if (!isOurs) {
      log().warn(
        { role: RESTRICTED_ROLE },
        "row-level security is off: the database has no restricted role for this user; see docs/operating.md",
      );
    }
    shared.sluiceRole = isOurs ? RESTRICTED_ROLE : OWN_ROLE;
  }
}

/** Connections of one database; the pool waits for `onConnect`, which its types do not say. A statement that waits for a free one keeps the reach of the work that sent it. */
export class ReachPool extends Pool {
  constructor(config: PoolConfig) {
    const own = { Client: ReachClient, onConnect: (client: ReachClient) => client.prepareReach() };
    super({ ...config, ...own } as unknown as PoolConfig);
  }

  override connect(...given: unknown[]): never {
    const [callback] = given;
    const own = super.connect as (...given: unknown[]) => unknown;
    if (typeof callback === "function") {
      const connected = callback as (error: Error | undefined, ...more: unknown[]) => unknown;
      const noting: typeof connected = (error, ...more) => {
        if (error) noteFailure(error);
        return connected(error, ...more);
      };
      return own.call(this, AsyncResource.bind(noting)) as never;
    }
    const connecting = own.call(this) as Promise<unknown>;
    connecting.catch(noteFailure);
    return connecting as never;
  }
}
