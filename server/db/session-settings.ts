// The settings under which Postgres executes our statements, in the form in which Postgres shows their values.

/** Names and values of settings of Postgres. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Every join of ours goes from a handful of rows to others by key. Before a table's first ANALYZE the planner believes
 * otherwise, and a prepared statement would keep that belief. Whether a statement's plan is made for its values is left to
 * Postgres: lists need it (of two filters only one may be rare), lookups by key settle for one plan after a few times.
 *
 * Up to Postgres 17, a plan that cannot do without such a join seems to cost so much that a server with LLVM compiles it, which
 * takes a third of a second each time.
 */
const PLANNER = { enable_hashjoin: "off", enable_mergejoin: "off", jit: "off" };

/** The server ends a statement of ours before we stop waiting for it, so that it does not go on without a caller. */
const PATIENCE = { lock_timeout: "2s", statement_timeout: "3500ms", idle_in_transaction_session_timeout: "5s" };

/** Instants arrive as UTC whatever the server's own zone is: Prisma's adapter takes that for granted. */
const ZONE = { timezone: "UTC" };

/** Of statements that a request waits for. */
export const FOR_REQUESTS: SessionSettings = { ...PLANNER, ...PATIENCE, ...ZONE };
/** Of work that may read whole tables and writes what it finds. */
export const FOR_LONG_WORK: SessionSettings = { lock_timeout: "2s", statement_timeout: "5min", ...ZONE };
/** By this name a merchant's move knows sessions that write nothing: it does not wait for them. */
export const REPORTS_NAME = "sluice reports";
/** Of reports, which read whole tables and write nothing. */
export const FOR_REPORTS: SessionSettings = {
  application_name: REPORTS_NAME,
  lock_timeout: "2s",
  statement_timeout: "2min",
  ...ZONE,
};
