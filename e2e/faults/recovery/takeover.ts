// Kills the worker during its calls to a slow provider, and waits until the next one has taken over what it held. Leases end
// by the clock alone, so each kill takes half a minute.
import { setTimeout as sleep } from "node:timers/promises";
import type { Bridge } from "../../rest/bridge";
import { workersOf } from "../../support/worker-processes";

/** The provider answers a payout after this time: shorter than PROVIDER_DEADLINE_MS, so that no call has failed yet. */
const SLOW_MS = 2_000;
const PAUSE_MS = 100;
/** A statement that the dead worker had sent has ended by then, in ms. */
const LATE_MS = 300;
const HELD_WITHIN_MS = 60_000;
/** After the end of the lease. */
const TAKEN_WITHIN_MS = 60_000;

/** A payout whose call was under way when its worker was killed. */
interface Orphan {
  readonly id: string;
  /** When its lease ends, as the database prints it. */
  readonly leaseUntil: string;
}

export interface Takeover {
  /** From the kill until the last of the payouts was taken over, in ms. */
  readonly afterKillMs: number;
  /** The same for each payout, from the end of its lease. */
  readonly pastLeaseMs: readonly number[];
  /** Payouts that were taken over before their leases ended, or not at all. */
  readonly problems: readonly string[];
}

const HELD = `SELECT DISTINCT i.id, i.due_at::text AS "leaseUntil"
  FROM payout_intent i JOIN provider_attempt a ON (a.merchant_id, a.intent_id) = (i.merchant_id, i.id)
  WHERE i.status = 'processing' AND i.due_at > now() AND a.state = 'started'`;

/** How long the leases have been over, in ms, negative before; and whether the claim is still the dead worker's. */
const STATE = `SELECT o.id, (extract(epoch FROM now() - o.lease_until) * 1000)::float8 AS "pastMs",
    coalesce(i.status = 'processing' AND i.due_at = o.lease_until, false) AS "isHeld"
  FROM unnest($1::text[], $2::timestamptz[]) AS o(id, lease_until) LEFT JOIN payout_intent i ON i.id = o.id`;

/** Kills the only worker while it calls; returns what it then held. Throws if it does not call within a minute. */
async function killCalling({ psp, world }: Bridge): Promise<{ killedAt: number; orphans: readonly Orphan[] }> {
  const { database, service } = world;
  const end = performance.now() + HELD_WITHIN_MS;
  await psp.misbehave({ mode: "delay", ms: SLOW_MS, kind: "payouts", operation: "create" });
  for (; performance.now() < end; await sleep(PAUSE_MS)) {
    const [pid] = workersOf(service);
    if (pid === undefined || (await database.query(HELD)).length === 0) continue;
    process.kill(pid, "SIGKILL");
    const killedAt = performance.now();
    while (workersOf(service).includes(pid)) await sleep(PAUSE_MS);
    await sleep(LATE_MS);
    const orphans = await database.query<Orphan>(HELD);
    if (orphans.length === 0) continue;
    await psp.behave();
    return { killedAt, orphans };
  }
  throw new Error("no worker holds a claim during a call");
}

/** Kills the only worker of the service during its calls, and waits until each payout that it held is claimed again. */
export async function timeTakeover(bridge: Bridge): Promise<Takeover> {
  const { killedAt, orphans } = await killCalling(bridge);
  const left = new Map(orphans.map((orphan) => [orphan.id, orphan]));
  const pastLeaseMs: number[] = [];
  const problems: string[] = [];
  for (; left.size > 0; await sleep(PAUSE_MS)) {
    const open = [...left.values()];
    const states = await bridge.world.database.query<{ id: string; pastMs: number; isHeld: boolean }>(
      STATE,
      open.map(({ id }) => id),
      open.map(({ leaseUntil }) => leaseUntil),
    );
    for (const { id, pastMs, isHeld } of states) {
      if (isHeld && pastMs < TAKEN_WITHIN_MS) continue;
      left.delete(id);
      if (isHeld) problems.push(`the payout ${id} was not taken over within ${TAKEN_WITHIN_MS} ms after its lease`);
      else if (pastMs < 0)
        problems.push(`the payout ${id} was taken over ${Math.round(-pastMs)} ms before its lease ended`);
      else pastLeaseMs.push(pastMs);
    }
  }
  return { afterKillMs: performance.now() - killedAt, pastLeaseMs, problems };
}
