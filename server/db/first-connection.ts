// A connection of a process that starts, outside the pools.
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

const REACHABLE_WITHIN_MS = 15_000;
const RETRY_PAUSE_MS = 250;
/** The address refuses, is not known yet, or Postgres says it is still starting. */
const NOT_YET_THERE: ReadonlySet<string> = new Set(["ECONNREFUSED", "EAI_AGAIN", "ENOTFOUND", "57P03"]);

/** Connects for 15 s: a database that is started together with the service may take a moment longer to accept connections. */
export async function connectWhenReady(databaseUrl: string): Promise<Client> {
  for (const end = Date.now() + REACHABLE_WITHIN_MS; ; await sleep(RETRY_PAUSE_MS)) {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: REACHABLE_WITHIN_MS });
    // A connection that breaks rejects the query under way; without a listener it would also end the process.
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!NOT_YET_THERE.has((error as { code?: string }).code ?? "") || Date.now() > end) throw error;
    }
  }
}
