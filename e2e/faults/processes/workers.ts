// Workers that stand still past their leases, and workers that are killed.
import { setTimeout as sleep } from "node:timers/promises";
import type { Bridge } from "../../rest/bridge";
import { signalWorkers, workersOf } from "../../support/worker-processes";
import { type DatabaseStage, type PlayedFault, playUnderLoad } from "../postgres/play";
import { startTwin } from "./twin";

const ROUNDS = 3;
/** The provider answers a payout after this time, so that many calls are under way at every moment. */
const SLOW_MS = 1_500;
/** At most; shorter than a worker waits for an answer, so that it still reads it when it goes on. */
const STOPPED_FOR_MS = 15_000;
const KILLS = 25;
const BETWEEN_KILLS_MS = 300;
const PAUSE_MS = 200;

/** What the stage of both needs. */
export const WITH_WORKERS = { WORKER_CONCURRENCY: "4", PROVIDER_DEADLINE_MS: "20000" };

/** As if the leases of all workers had run out: what they hold is due for the others. */
async function endClaims({ world }: Bridge): Promise<void> {
  await world.database.query(
    `UPDATE payout_intent SET due_at = now()
     WHERE id IN (SELECT id FROM payout_intent WHERE status = 'processing' AND due_at > now() FOR UPDATE SKIP LOCKED)`,
  );
}

/** The payouts whose call has no answer yet. */
async function unanswered({ world }: Bridge): Promise<string[]> {
  const rows = await world.database.query<{ id: string }>(
    `SELECT DISTINCT i.id FROM payout_intent i JOIN provider_attempt a ON (a.merchant_id, a.intent_id) = (i.merchant_id, i.id)
     WHERE i.status = 'processing' AND a.state = 'started'`,
  );
  return rows.map(({ id }) => id);
}

async function callsUnderWay(bridge: Bridge): Promise<string[]> {
  for (;;) {
    const ids = await unanswered(bridge);
    if (ids.length > 0) return ids;
    await sleep(PAUSE_MS);
  }
}

/** Waits until other workers have ended these payouts, without the leases of those that began; returns their number. */
async function endedByOthers(bridge: Bridge, ids: readonly string[]): Promise<number> {
  const open = "SELECT FROM payout_intent WHERE id = ANY($1) AND status = 'processing'";
  for (const end = Date.now() + STOPPED_FOR_MS; ; await sleep(PAUSE_MS)) {
    await endClaims(bridge);
    const left = (await bridge.world.database.query(open, ids)).length;
    if (left === 0) return ids.length;
    if (Date.now() > end)
      throw new Error(`${left} of ${ids.length} payouts of workers that stand still have not ended`);
  }
}

const slowly = ({ psp }: Bridge, ms: number) =>
  psp.misbehave({ mode: "delay", ms, kind: "payouts", operation: "create" });

/**
 * All workers stand still during their calls; those of a second service take over when the leases have run out; then the
 * first ones go on with the answers that have come meanwhile.
 */
export async function playZombies({ bridge }: DatabaseStage): Promise<PlayedFault> {
  const { service } = bridge.world;
  const second = await startTwin(bridge);
  const stand = async () => {
    let overtaken = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      signalWorkers(second, "SIGSTOP");
      await slowly(bridge, SLOW_MS);
      const held = await callsUnderWay(bridge);
      signalWorkers(service, "SIGSTOP");
      await bridge.psp.behave();
      signalWorkers(second, "SIGCONT");
      overtaken += await endedByOthers(bridge, held);
      signalWorkers(service, "SIGCONT");
    }
    return `${overtaken} payouts ended by another worker while theirs stood still`;
  };
  try {
    return await playUnderLoad({ bridge }, stand);
  } finally {
    await second.dispose();
  }
}

/** Workers are killed during their calls, one after the other, and started again. */
export function playKilledWorkers({ bridge }: DatabaseStage, draw: (below: number) => number): Promise<PlayedFault> {
  return playUnderLoad({ bridge }, async () => {
    let [killed, calls] = [0, 0];
    await slowly(bridge, PAUSE_MS);
    while (killed < KILLS) {
      const workers = workersOf(bridge.world.service);
      const pid = workers[draw(workers.length)];
      if (pid) {
        calls += (await callsUnderWay(bridge)).length;
        process.kill(pid, "SIGKILL");
        killed += 1;
      }
      await sleep(BETWEEN_KILLS_MS);
      await endClaims(bridge);
    }
    await bridge.psp.behave();
    return `${killed} workers killed, ${calls} calls under way`;
  });
}
