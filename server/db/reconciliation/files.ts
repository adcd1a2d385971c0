// The rows of settlement files: which were imported, and the time each covers.
import { newId } from "@/server/platform/ids";
import type { Transaction } from "../transaction";
import type { ImportScope } from "./import";

/** The time that a file covers, its end excluded. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export interface StoredFile extends Period {
  readonly id: string;
}

interface Row {
  readonly id: string;
  readonly period_from: Date;
  readonly period_to: Date;
}

/** The file of those bytes, or null when it was never imported. */
export async function findFileWithin(
  transaction: Transaction,
  { provider, environment }: ImportScope,
  digest: string,
): Promise<StoredFile | null> {
  const [row] = await transaction.query<Row>(
    "SELECT id, period_from, period_to FROM settlement_file WHERE provider = $1 AND environment = $2 AND digest = $3",
    provider,
    environment,
    digest,
  );
  return row ? { id: row.id, from: row.period_from, to: row.period_to } : null;
}

/**
 * Where the last file that ends before `instant`, or then, has ended; null when there is none. Files that members of
 * other merchants uploaded do not count, for the operator none of any member's, and none that this cell has not imported. What was
 * booked after an import, or just before it, was not compared with its file, also if that covers a later time.
 */
export async function findPeriodEndWithin(
  transaction: Transaction,
  { provider, environment, merchantId }: ImportScope,
  instant: Date,
): Promise<Date | null> {
  const [row] = await transaction.query<{ last: Date | null }>(
    `SELECT max(looked_until) AS last
     FROM (SELECT *, least(period_to, imported_at - interval '1 minute') AS looked_until FROM settlement_file) f
     WHERE provider = $1 AND environment = $2 AND looked_until <= $3::timestamptz AND NOT is_brought
       AND (uploaded_for IS NULL OR uploaded_for = $4)`,
    provider,
    environment,
    instant,
    merchantId,
  );
  return row?.last ?? null;
}

interface NewFile extends Period {
  readonly digest: string;
  readonly name: string;
  readonly importedAt: Date;
  /** The member who uploads it; null for the operator. */
  readonly uploadedBy: string | null;
}

/** Stores a file that is new; gives its id. */
export async function insertFileWithin(
  transaction: Transaction,
  { provider, environment, merchantId }: ImportScope,
  file: NewFile,
): Promise<string> {
  const id = newId("settlementFile");
  await transaction.query(
    `INSERT INTO settlement_file (provider, environment, id, digest, name, period_from, period_to, imported_at,
       uploaded_for, uploaded_by)
     VALUES ($1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz, $8::timestamptz, $9, $10)`,
    provider,
    environment,
    id,
    file.digest,
    file.name,
    file.from,
    file.to,
    file.importedAt,
    merchantId,
    file.uploadedBy,
  );
  return id;
}
