// The one service that most specs of a run share: started before them, stopped after them, known to every worker.
import { AWAY, openPooledDatabase } from "./pooled-database";
import { type ServiceAddress, startService } from "./service";

const VARIABLE = "SLUICE_E2E_SERVICE";

/** The address of the shared service. Throws outside a run. */
export function sharedService(): ServiceAddress {
  const address = process.env[VARIABLE];
  if (!address) throw new Error("no shared service: specs are run by npm run test:e2e");
  return JSON.parse(address) as ServiceAddress;
}

/**
 * SPEC_PROCESSES sets the number of web processes and workers. SPEC_POOLER=pgbouncer puts a pooler before the database, and
 * names a replica for reports that is away. Playwright calls this once before all specs, and calls
 * the returned function once after them.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const processes = process.env.SPEC_PROCESSES;
  const pooled = process.env.SPEC_POOLER === "pgbouncer" ? await openPooledDatabase() : null;
  const service = await startService({
    env: {
      ...(processes ? { WEB_CONCURRENCY: processes, WORKER_CONCURRENCY: processes } : {}),
      ...(pooled ? AWAY : {}),
    },
    ...(pooled && { database: pooled.variables }),
  });
  const { baseUrl, dataDir, database } = service;
  process.env[VARIABLE] = JSON.stringify({ baseUrl, dataDir, database });
  return async () => {
    await service.dispose();
    await pooled?.close();
  };
}
