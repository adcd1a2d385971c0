// Figures about the running work's cell, for the operator.
import { queryAcrossMerchants } from "./client";
import { newestMigration } from "./newest-migration";

export interface CellFigures {
  /** Every migration of this release is applied. */
  readonly isMigrated: boolean;
  readonly merchants: number;
  readonly sizeBytes: bigint;
}

const FIGURES = `
  SELECT (SELECT count(*) FROM merchant)::int AS merchants, pg_database_size(current_database())::text AS size_bytes,
         EXISTS (SELECT FROM "_prisma_migrations"
           WHERE migration_name = $1 AND finished_at IS NOT NULL AND rolled_back_at IS NULL) AS is_migrated`;

/** Reads them from the cell's database. */
export async function readCellFiguresAcrossMerchants(): Promise<CellFigures> {
  const [row] = await queryAcrossMerchants<{ merchants: number; size_bytes: string; is_migrated: boolean }>(
    FIGURES,
    await newestMigration(),
  );
  return {
    isMigrated: row?.is_migrated ?? false,
    merchants: row?.merchants ?? 0,
    sizeBytes: BigInt(row?.size_bytes ?? 0),
  };
}
