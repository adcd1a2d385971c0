// The one service that most specs of a run share: started before them, stopped after them, known to every worker.
import { type ServiceAddress, startService } from "./service";

const VARIABLE = "SLUICE_E2E_SERVICE";

/** The address of the shared service. Throws outside a run. */
export function sharedService(): ServiceAddress {
  const address = process.env[VARIABLE];
  if (!address) throw new Error("no shared service: specs are run by npm run test:e2e");
  return JSON.parse(address) as ServiceAddress;
}

/**
 * SPEC_PROCESSES sets the number of web processes and workers. Playwright calls this once before all specs, and calls
 * the returned function once after them.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const processes = process.env.SPEC_PROCESSES;
  const service = await startService({
    env: processes ? { WEB_CONCURRENCY: processes, WORKER_CONCURRENCY: processes } : {},
  });
  const { baseUrl, dataDir } = service;
  process.env[VARIABLE] = JSON.stringify({ baseUrl, dataDir });
  return () => service.dispose();
}
