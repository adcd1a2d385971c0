import { disconnect } from "@/server/db/client";
import { migrate } from "@/server/db/migrate";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { openRuntime } from "@/server/platform/runtime";
import { flushApiLog } from "@/server/services/api-logs/record";
import { prepareDispatch } from "@/server/services/dispatch/control";
import { prepareReferences } from "@/server/services/dispatch-references/prepare";
import { requireProviderAccounts } from "@/server/services/providers/accounts";
import type { Shutdown } from "./shutdown";

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
  const { applied } = await migrate(env().databaseUrl ?? "");
  if (applied.length > 0) log().info({ applied }, "the database was migrated");
  await prepareReferences();
  await prepareDispatch();
  await requireProviderAccounts();
  return { isEmbedded: embedded !== null };
}
