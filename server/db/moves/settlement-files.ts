// Settlement lines name the file that brought them. The operator's files are stored in each cell, under an id of its own: a line
// that moves gets the file with the same digest.
import { type Owner, transact, WITHOUT_TRIGGERS } from "./owner";

const STORE_WHERE_NONE = `
  INSERT INTO settlement_file SELECT f.* FROM unnest($1::text[]::settlement_file[]) AS f
  WHERE NOT EXISTS (SELECT FROM settlement_file own
                    WHERE (own.provider, own.environment) = (f.provider, f.environment) AND own.uploaded_for IS NULL)
  ON CONFLICT DO NOTHING`;

/**
 * Stores the operator's files of one cell in another that has none of that provider, such as one that is younger. The next import
 * covers the time since the last file that the cell knows of. Where it has files of its own, it covers the time since those: one that
 * it lacks was imported while it was away, and has to be imported there yet.
 */
export async function copyFilesOfOperator(from: Owner, to: Owner): Promise<void> {
  const files = await from.query<{ row: string }>(
    "SELECT f::text AS row FROM settlement_file f WHERE uploaded_for IS NULL",
  );
  const rows = files.map(({ row }) => row);
  await transact(to, WITHOUT_TRIGGERS, () => to.query(STORE_WHERE_NONE, rows));
}

/** Reads the files that lines, given as the text of their rows, name. */
export async function readFilesOf(owner: Owner, lines: readonly string[]): Promise<string[]> {
  const rows = await owner.query<{ row: string }>(
    `SELECT f::text AS row FROM settlement_file f
     WHERE (f.provider, f.id) IN (SELECT l.provider, l.file_id FROM unnest($1::text[]::settlement_line[]) AS l)`,
    lines,
  );
  return rows.map(({ row }) => row);
}

/** Stores those files unless the cell has them, as ones that it has not imported itself, and makes lines that were just inserted name the cell's own. */
export async function storeFilesOf(owner: Owner, files: readonly string[], lines: readonly string[]): Promise<void> {
  await owner.query(
    `INSERT INTO settlement_file
     SELECT (jsonb_populate_record(f, jsonb_build_object('is_brought', f.uploaded_for IS NULL))).*
     FROM unnest($1::text[]::settlement_file[]) AS f ON CONFLICT DO NOTHING`,
    files,
  );
  await owner.query(
    `UPDATE settlement_line t SET file_id = own.id
     FROM unnest($2::text[]::settlement_line[]) AS l
     JOIN unnest($1::text[]::settlement_file[]) AS f ON (f.provider, f.id) = (l.provider, l.file_id)
     JOIN settlement_file own ON (own.provider, own.environment, own.digest) = (f.provider, f.environment, f.digest)
     WHERE (t.provider, t.environment, t.digest) = (l.provider, l.environment, l.digest)`,
    files,
    lines,
  );
}

/** Until when the operator's files of a provider are imported. */
export interface ImportedUntil {
  readonly provider: string;
  readonly environment: string;
  readonly until: Date;
}

/** By provider and environment, what the cell has imported itself. */
export function readImportedUntil(owner: Owner): Promise<ImportedUntil[]> {
  return owner.query<ImportedUntil>(
    `SELECT provider, environment, max(period_to) AS until FROM settlement_file
     WHERE uploaded_for IS NULL AND NOT is_brought GROUP BY provider, environment ORDER BY provider, environment`,
  );
}
