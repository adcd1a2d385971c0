// Waits for statements of an earlier load. They continue after its clients have disconnected.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/e2e/rest/database";

/** A statement that has run for longer belongs to an earlier load, in ms. */
const OLD_MS = 50;
const PAUSE_MS = 150;
/** Polls in a row without such a statement: when an old one ends, the next of its queue is young at first. */
const QUIET_POLLS = 3;
const WITHIN_MS = 60_000;

const OLD_STATEMENTS = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND state = 'active' AND pid <> pg_backend_pid()
    AND query_start < clock_timestamp() - $1::float8 * interval '1 ms' LIMIT 1`;

/** Resolves once no statement of an earlier load runs: at once if there is none. Throws after a minute. */
export async function untilQuiet({ query }: Pick<Database, "query">): Promise<void> {
  const isQuiet = async () => (await query(OLD_STATEMENTS, OLD_MS)).length === 0;
  if (await isQuiet()) return;
  const end = performance.now() + WITHIN_MS;
  for (let polls = 0; polls < QUIET_POLLS; polls = (await isQuiet()) ? polls + 1 : 0) {
    if (performance.now() > end) throw new Error("statements of an earlier load do not end");
    await sleep(PAUSE_MS);
  }
}
