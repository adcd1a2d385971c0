// Kills workers, the web process and Postgres, one after the other, under the light load of clients that retry.
import { setTimeout as sleep } from "node:timers/promises";
import type { Bridge } from "../../rest/bridge";
import { verdictOn } from "../postgres/judge";
import { startLoad } from "../postgres/load";
import type { DatabaseStage } from "../postgres/play";
import { watchAcknowledgements } from "./acknowledgements";
import { killPostgres, killWeb } from "./kills";
import type { Recoveries } from "./report";
import { timeTakeover } from "./takeover";

/** How often each is killed. */
export interface Counts {
  readonly web: number;
  readonly postgres: number;
  readonly workers: number;
}

/** Few enough that clients mostly wait for their turn, and not for the idempotency keys of a dead request. */
const PER_SECOND = 16;
/** The worker asks the provider about calls without an answer within this time. */
const RESOLVES_WITHIN_MS = 120_000;
const PAUSE_MS = 250;

/**
 * The payments and top-ups of which nobody knows whether the provider has them; the verdict has the payouts. The row of a call
 * without an answer stays as it is, also when the worker has found out what came of it, so the intent's status counts.
 */
async function unknownCreations({ world }: Bridge): Promise<readonly string[]> {
  const { database } = world;
  const isUnknown = `i.status = 'processing' AND EXISTS (SELECT FROM provider_attempt a
    WHERE (a.merchant_id, a.intent_id) = (i.merchant_id, i.id) AND a.state = 'started')`;
  for (const end = performance.now() + RESOLVES_WITHIN_MS; ; await sleep(PAUSE_MS)) {
    const found: string[] = [];
    for (const table of ["payment_intent", "topup_intent"]) {
      // The claims of a fault's victims end at once.
      await database.query(
        `UPDATE ${table} SET due_at = now() WHERE due_at > now() AND id IN (
           SELECT i.id FROM ${table} i WHERE ${isUnknown} FOR UPDATE OF i SKIP LOCKED)`,
      );
      const rows = await database.query<{ id: string }>(`SELECT i.id FROM ${table} i WHERE ${isUnknown}`);
      found.push(...rows.map(({ id }) => `nobody knows whether the provider has ${id}`));
    }
    if (found.length === 0 || performance.now() > end) return found;
  }
}

/**
 * Plays so many kills of each kind on a stage with one web process and one worker, and judges the load at the end. `draw`
 * returns a random whole number below its argument; `told` gets a line after each kind. Throws if the service stays away.
 */
export async function playKills(
  stage: DatabaseStage,
  counts: Counts,
  draw: (below: number) => number,
  told: (line: string) => void = () => {},
): Promise<Recoveries> {
  const { bridge } = stage;
  const acknowledgements = watchAcknowledgements();
  const load = startLoad(bridge, { perSecond: PER_SECOND, onAcknowledged: acknowledgements.note });
  const under = { stage, load, acknowledgements };
  const worker: number[] = [];
  const problems: string[] = [];
  for (let kill = 0; kill < counts.workers; kill += 1) {
    // The pause before a restart grows with each death of a worker within a minute; a new service begins with the shortest.
    if (kill > 0) await bridge.world.service.restart();
    const takeover = await timeTakeover(bridge);
    worker.push(...takeover.pastLeaseMs);
    problems.push(...takeover.problems);
    told(`worker ${kill + 1}: the last claim was taken over ${takeover.afterKillMs.toFixed(0)} ms after the kill`);
  }
  const web = await killWeb(under, counts.web, draw);
  told(`web process: ${web.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  const postgres = await killPostgres(under, counts.postgres, draw);
  told(`Postgres: ${postgres.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  const written = await load.stop();
  await bridge.world.reconnect();
  const verdict = await verdictOn(bridge, written, { brokenConnections: true, keysInFlight: true });
  return {
    web,
    postgres,
    workerKills: counts.workers,
    worker,
    writes: written.length,
    lost: verdict.lost,
    unresolved: [...verdict.unresolved, ...(await unknownCreations(bridge))],
    others: [...problems, ...verdict.others],
  };
}
