// The transaction in which a settlement file is imported: one file of a provider and environment at a time.
import type { Environment } from "@/server/domain/scope";
import { inLongTransaction } from "../client";
import type { Transaction } from "../transaction";

/** An import of one provider in one environment. */
export interface ImportScope {
  readonly provider: string;
  readonly environment: Environment;
}

/** What is open while a file is imported. */
export type ImportTransaction = Transaction;

/** Runs the work as the only import of its scope; all of it is stored, or nothing. Locks no row that requests need. */
export function importAlone<Result>(
  { provider, environment }: ImportScope,
  work: (transaction: ImportTransaction) => Promise<Result>,
): Promise<Result> {
  return inLongTransaction(async (transaction) => {
    const lock = `settlement:${environment}:${provider}`;
    await transaction.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text", lock);
    return work(transaction);
  });
}
