// What happens to the workers of a service. Each fault returns what proves that it happened.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bridge } from "../../rest/bridge";
import { childrenOf } from "../../support/postgres/children";

export type ProcessFault = (bridge: Bridge, draw: (below: number) => number) => Promise<string>;

const ROUNDS = 3;
/** The provider answers a payout after this time, so that many calls are under way at every moment. */
const SLOW_MS = 1_500;
const STOPPED_MS = 4_000;
const KILLS = 25;
const BETWEEN_KILLS_MS = 300;
const PAUSE_MS = 200;

function workersOf({ world }: Bridge): number[] {
  const isWorker = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("worker");
    } catch {
      // It has ended since.
      return false;
    }
  };
  return childrenOf(world.service.pid).filter(isWorker);
}

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

async function endedOf({ world }: Bridge, ids: readonly string[]): Promise<number> {
  const rows = await world.database.query("SELECT FROM payout_intent WHERE id = ANY($1) AND status = 'succeeded'", ids);
  return rows.length;
}

export const PROCESS_FAULTS: Readonly<Record<string, ProcessFault>> = {
  /** A worker stands still during its calls, others take over when its leases have run out, and it goes on with its answers. */
  async zombie(bridge, draw) {
    let overtaken = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await bridge.psp.misbehave({ mode: "delay", ms: SLOW_MS, kind: "payouts", operation: "create" });
      let under: string[] = [];
      while (under.length === 0) {
        await sleep(PAUSE_MS);
        under = await unanswered(bridge);
      }
      // All but one, so that the one that made the calls is probably among them.
      const workers = workersOf(bridge);
      const spared = draw(workers.length);
      const stopped = workers.filter((_, n) => n !== spared);
      for (const pid of stopped) process.kill(pid, "SIGSTOP");
      await bridge.psp.behave();
      for (const end = Date.now() + STOPPED_MS; Date.now() < end; await sleep(PAUSE_MS)) await endClaims(bridge);
      overtaken += await endedOf(bridge, under);
      for (const pid of stopped) process.kill(pid, "SIGCONT");
      await sleep(PAUSE_MS);
    }
    if (overtaken === 0) throw new Error("no worker was overtaken");
    return `${overtaken} payouts ended by another worker while theirs stood still`;
  },
  /** Workers are killed one after the other, and started again. */
  async killed(bridge, draw) {
    const killed = new Set<number>();
    await bridge.psp.misbehave({ mode: "delay", ms: PAUSE_MS, kind: "payouts", operation: "create" });
    while (killed.size < KILLS) {
      const workers = workersOf(bridge);
      const pid = workers[draw(workers.length)];
      if (pid) {
        process.kill(pid, "SIGKILL");
        killed.add(pid);
      }
      await sleep(BETWEEN_KILLS_MS);
      await endClaims(bridge);
    }
    await bridge.psp.behave();
    return `${killed.size} workers killed`;
  },
};
