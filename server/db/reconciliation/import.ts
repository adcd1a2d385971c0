// The transaction in which a settlement file is imported: one file of a provider and environment at a time.
import type { Environment } from "@/server/domain/scope";
import { reports } from "../client";
import type { Prisma } from "../generated/client";

const TIMEOUT_MS = 30 * 60_000;

/** The pool's settings are made for requests that touch a handful of rows; an import may read whole tables. */
const SETTINGS = [
  "SET LOCAL statement_timeout = '300s'",
  "SET LOCAL enable_hashjoin = on",
  "SET LOCAL enable_mergejoin = on",
];

/** An import of one provider in one environment. */
export interface ImportScope {
  readonly provider: string;
  readonly environment: Environment;
}

/** What is open while a file is imported. */
export type ImportTransaction = Prisma.TransactionClient;

/** Runs the work as the only import of its scope; all of it is stored, or nothing. Locks no row that requests need. */
export function importAlone<Result>(
  { provider, environment }: ImportScope,
  work: (transaction: ImportTransaction) => Promise<Result>,
): Promise<Result> {
  return reports().$transaction(
    async (transaction) => {
      for (const setting of SETTINGS) await transaction.$executeRawUnsafe(setting);
      const lock = `settlement:${environment}:${provider}`;
      await transaction.$queryRawUnsafe("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text", lock);
      return work(transaction);
    },
    { timeout: TIMEOUT_MS },
  );
}
