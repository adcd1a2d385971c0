// The transaction in which a settlement file is imported: one file of a provider and environment at a time.
import { validationError } from "@/server/domain/errors";
import type { Environment } from "@/server/domain/scope";
import { inLongTransaction, inSnapshot } from "../client";
import type { Transaction } from "../transaction";

/** An import of one provider in one environment. */
export interface ImportScope {
  readonly provider: string;
  readonly environment: Environment;
  /** The merchant whose members import; null for the operator, who imports for every merchant. */
  readonly merchantId: string | null;
}

/** What is open while a file is imported. */
export type ImportTransaction = Transaction;

const lockOf = (environment: Environment, provider: string) => `settlement:${environment}:${provider}`;

/**
 * Waits until no import of the provider runs, and until no other entry about one of its lines is being confirmed; none of them
 * begins before the caller's transaction has ended.
 */
export async function holdLinesWithin(
  transaction: Transaction,
  environment: Environment,
  provider: string,
): Promise<void> {
  const lock = lockOf(environment, provider);
  await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text", `by hand ${lock}`);
  await transaction.query("SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))::text", lock);
}

/** Runs work that only compares, on one snapshot in which it can write nothing. */
export function compareOnly<Result>(work: (transaction: ImportTransaction) => Promise<Result>): Promise<Result> {
  return inSnapshot(work);
}

/**
 * Runs the work as the only import of its provider and environment; all of it is stored, or nothing. Locks no row that
 * requests need. Members do not wait for another import: throws validation_failed.
 */
export function importAlone<Result>(
  { provider, environment, merchantId }: ImportScope,
  work: (transaction: ImportTransaction) => Promise<Result>,
): Promise<Result> {
  return inLongTransaction(async (transaction) => {
    const lock = lockOf(environment, provider);
    if (merchantId === null) {
      await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text", lock);
    } else {
      const sql = "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked";
      const [row] = await transaction.query<{ locked: boolean }>(sql, lock);
      if (!row?.locked) throw validationError("provider", "has another import running; try again in a moment");
    }
    return work(transaction);
  });
}
