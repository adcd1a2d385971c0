// Waits until what an earlier load left behind has ended: its statements go on after its clients have gone.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/e2e/rest/database";

/** A statement that has run for so long is left from a load, in ms. */
const OLD_MS = 50;
const PAUSE_MS = 150;
/** Looks in a row without such a statement: the next one of a queue is young at first. */
const QUIET_LOOKS = 3;
const WITHIN_MS = 60_000;

const OLD_STATEMENTS = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND state = 'active' AND pid <> pg_backend_pid()
    AND query_start < clock_timestamp() - $1::float8 * interval '1 ms' LIMIT 1`;

/** Returns at once if no statement is left from a load; otherwise when all have ended. Throws after a minute. */
export async function untilQuiet({ query }: Pick<Database, "query">): Promise<void> {
  const isQuiet = async () => (await query(OLD_STATEMENTS, OLD_MS)).length === 0;
  if (await isQuiet()) return;
  const end = performance.now() + WITHIN_MS;
  for (let looks = 0; looks < QUIET_LOOKS; looks = (await isQuiet()) ? looks + 1 : 0) {
    if (performance.now() > end) throw new Error("statements of an earlier load do not end");
    await sleep(PAUSE_MS);
  }
}
