import { disconnect } from "@/server/db/client";
import { checkDirectAddress, checkPooler, checkRole, checkSettings } from "@/server/db/connection-check";
import { migrate } from "@/server/db/migrate";
import { checkReportDatabase } from "@/server/db/report-age";
import { ConfigurationError, env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { openRuntime } from "@/server/platform/runtime";
import { flushApiLog } from "@/server/services/api-logs/record";
import { prepareDispatch } from "@/server/services/dispatch/control";
import { prepareReferences } from "@/server/services/dispatch-references/prepare";
import { requireProviderAccounts } from "@/server/services/providers/accounts";
import type { Shutdown } from "./shutdown";

/** Checks the addresses of the database before anything is written, and migrates it. Throws ConfigurationError. */
async function migrateDatabase(): Promise<void> {
  const { databaseUrl, databaseDirectUrl, databaseStatements } = env();
  await checkPooler(databaseUrl ?? "", databaseStatements);
  await checkSettings();
  if (databaseDirectUrl !== null) await checkDirectAddress(databaseDirectUrl);
  // These connections began before a first migration creates the role that row-level security binds.
  await disconnect();
  const { applied } = await migrate(databaseDirectUrl ?? databaseUrl ?? "");
  if (applied.length > 0) log().info({ applied }, "the database was migrated");
  await checkRole();
}

/** A replica that is away delays reports, not the service. Throws ConfigurationError for another database. */
async function checkReports(): Promise<void> {
  try {
    await checkReportDatabase();
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    log().warn({ err: error }, "REPORT_DATABASE_URL does not answer as a replica: reports fail until it does");
  }
}

/**
 * Connects to the operator's database or starts the embedded one, migrates it, and prepares what every process reads from
 * it. An embedded Postgres that crashes ends the service with exit code 1. Throws ConfigurationError.
 */
export async function startDatabase(shutdown: Shutdown): Promise<{ readonly isEmbedded: boolean }> {
  const { embedded, close } = await openRuntime("service");
  shutdown.before(close, disconnect, flushApiLog);
  embedded?.onCrash((stderrTail) => {
    process.stderr.write(
      `The embedded Postgres ended unexpectedly, so the service stops. Its last output:\n${stderrTail}\n`,
    );
    void shutdown.end(1);
  });
  await migrateDatabase();
  await prepareReferences();
  await prepareDispatch();
  await checkReports();
  await requireProviderAccounts();
  return { isEmbedded: embedded !== null };
}
