// Whether a cell's database can take part in a move.
import { newestMigration } from "../newest-migration";
import type { Owner } from "./owner";

/** The migration that made statements read fences. */
const FENCES_SINCE = "20261201010000_merchant_fence";

export interface Conditions {
  /** The cell that the database says it is. */
  readonly cell: string | null;
  readonly isMigrated: boolean;
  /** Whether the user may switch triggers off for a session. */
  readonly maySetReplicationRole: boolean;
  /** Whether the user sees what sessions of other users do. Otherwise their transactions could not be waited for. */
  readonly seesAllSessions: boolean;
  /** Whether transactions can be prepared. */
  readonly allowsPrepared: boolean;
  /** Sessions that began before that migration: their statements read no fences. */
  readonly unfencedSessions: number;
}

const CONDITIONS = `
  SELECT (SELECT cell FROM installation) AS cell,
         EXISTS (SELECT FROM "_prisma_migrations"
           WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL) AS "isMigrated",
         has_parameter_privilege('session_replication_role', 'SET') AS "maySetReplicationRole",
         pg_has_role('pg_read_all_stats', 'USAGE') AS "seesAllSessions",
         current_setting('max_prepared_transactions')::int > 0 AS "allowsPrepared",
         (SELECT count(*)::int FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
            AND backend_start < (SELECT finished_at FROM "_prisma_migrations" WHERE migration_name = $2)) AS "unfencedSessions"`;

/** Reads them from the cell's database. */
export async function readConditions(owner: Owner): Promise<Conditions> {
  const [row] = await owner.query<Conditions>(CONDITIONS, await newestMigration(), FENCES_SINCE);
  if (!row) throw new Error("a SELECT without FROM returns a row");
  return row;
}
