// How far the database of reports may be behind, and whether it is a replica of the service's own at all.
import { currentCell } from "@/server/platform/cell";
import { ConfigurationError } from "@/server/platform/env";
import { acrossMerchants, type Reach } from "@/server/platform/reach";
import { asReport, notAsReport } from "@/server/platform/report-scope";
import { query } from "./client";

/** How often the merchants of the reach $1 have come here from another cell. */
const ARRIVALS = `(SELECT coalesce(sum(number), 0)::int FROM merchant_stay WHERE merchant = ANY (string_to_array($1, ',')))`;

/** Everything that was acknowledged before `at` was `written`. */
const OWN = `
  SELECT clock_timestamp() AS at, pg_current_wal_lsn()::text AS written, current_database_identity() AS identity,
         ${ARRIVALS} AS arrivals`;

/** A server that is no replica names no position of its replay. */
const REPLICA = `
  SELECT pg_is_in_recovery() AS is_replica, pg_last_wal_replay_lsn() >= $2::pg_lsn AS has_all,
         pg_last_xact_replay_timestamp() AS replayed_at, current_database_identity() AS identity, ${ARRIVALS} AS arrivals`;

interface OwnRow {
  readonly at: Date;
  readonly written: string;
  readonly identity: string | null;
  readonly arrivals: number;
}

interface ReplicaRow {
  readonly is_replica: boolean;
  readonly has_all: boolean | null;
  /** When the last transaction that it has replayed was committed; null if it has replayed none since its start. */
  readonly replayed_at: Date | null;
  /** Null on a replica. */
  readonly identity: string | null;
  readonly arrivals: number;
}

/** Classified as an outage: a retry may succeed. */
function notYet(what: string): Error {
  return Object.assign(new Error(`the replica for reports has not replayed ${what}`), { code: "57P03" });
}

/**
 * Returns an instant before which nothing acknowledged is missing in later reads of the database of reports; null if these
 * read the service's own database. `reach` is that of the report. Throws ConfigurationError if it is another database, and an
 * outage while it lacks a merchant of the reach that has come from another cell.
 */
export async function readReportAge(reach: Reach = ""): Promise<Date | null> {
  if (currentCell().reportDatabaseUrl === null) return null;
  return acrossMerchants(async () => {
    const [own] = await notAsReport(() => query<OwnRow>(OWN, reach));
    const [replica] = await asReport(() => query<ReplicaRow>(REPLICA, reach, own?.written));
    if (!own || !replica) throw new Error("the state of a database gave no row");
    // After a failover, both addresses may lead to the new primary.
    if (!replica.is_replica && replica.identity !== own.identity)
      throw new ConfigurationError([
        "REPORT_DATABASE_URL must lead to a streaming replica of DATABASE_URL: it is a database of its own",
      ]);
    if (!replica.is_replica || replica.has_all) return own.at;
    if (replica.replayed_at === null) throw notYet("a transaction since its start");
    // What was acknowledged in the other cell before came as a copy.
    if (replica.arrivals < own.arrivals) throw notYet("the arrival of a merchant");
    return replica.replayed_at;
  });
}

const KNOWN_IDENTITY = "SELECT database_identity AS identity FROM installation";

/** Checks that the database of reports, if there is one, replicates the service's own. Throws ConfigurationError, or an outage. */
export async function checkReportDatabase(): Promise<void> {
  if ((await readReportAge()) === null) return;
  const identities = await acrossMerchants(() =>
    Promise.all([query(KNOWN_IDENTITY), asReport(() => query(KNOWN_IDENTITY))]),
  );
  const [own, replica] = identities.map((rows) => JSON.stringify(rows));
  if (own !== replica)
    throw new ConfigurationError([
      "REPORT_DATABASE_URL must lead to a streaming replica of DATABASE_URL: it is another database",
    ]);
}
