// The database server dies, and a replica takes over. An asynchronous one misses the last seconds: merchants retry what they
// cannot find. A synchronous one misses nothing that was acknowledged. Payouts wait for the operator, and nothing is paid twice.
import { setTimeout as sleep } from "node:timers/promises";
import type { Bridge } from "../../rest/bridge";
import { freePort } from "../../support/service";
import { judge } from "./judge";
import { repeat, startLoad, type Written } from "./load";
import { type DatabaseStage, metBy, type PlayedFault, until } from "./play";

const EACH = 30;
/** Longer than a worker waits before it sends an approved payout. */
const SENT_WITHIN_MS = 3_000;

/** The writes whose intent the database does not have under the id of the answer. */
async function lostOf({ world }: Bridge, written: readonly Written[]): Promise<readonly Written[]> {
  const lost: Written[] = [];
  for (const write of written) {
    const found = await world.database.query(`SELECT FROM ${write.table} WHERE id = $1`, write.id ?? "");
    if (write.isDefinite && found.length === 0) lost.push(write);
  }
  return lost;
}

/** Follows docs/operating.md; the service is never restarted. */
export async function playFailover(
  { server, bridge }: DatabaseStage,
  replication: "asynchronous" | "synchronous",
): Promise<PlayedFault> {
  const mayLose = replication === "asynchronous";
  const { world, psp } = bridge;
  const replica = await server.replicate(await freePort());
  await world.reconnect();
  const load = startLoad(bridge);
  const loaded = async (writes: number) => {
    const from = load.count();
    return until(() => load.count() >= from + writes);
  };
  if (!mayLose) await replica.makeSynchronous();
  await loaded(EACH);
  if (mayLose) {
    await replica.caughtUp();
    await replica.stopFollowing();
    await loaded(EACH);
  }
  await replica.takeOver();
  const recoveryMs = Math.round(await loaded(1));
  await loaded(EACH);
  const written = await load.stop();
  await world.reconnect();

  const problems: string[] = [];
  const lost = await lostOf(bridge, written);
  if (mayLose && lost.length === 0) problems.push("the replica has missed nothing");
  if (!mayLose && lost.length > 0) problems.push(`the replica has missed ${lost.length} acknowledged writes`);
  const repeated = await repeat(bridge, lost);
  const unapproved = await world.database.query<{ id: string }>(
    "SELECT id FROM payout_intent WHERE status = 'requires_approval'",
  );
  for (const { id } of unapproved) await bridge.approve(id);
  // Payments go on: one that the failover interrupted is sent in these seconds.
  const payouts = async () => (await psp.record()).filter(({ kind }) => kind === "payouts").length;
  const payoutsBefore = await payouts();
  await sleep(SENT_WITHIN_MS);
  const sent = (await payouts()) - payoutsBefore;
  if (sent !== 0) problems.push(`the provider was sent ${sent} payouts before the operator resumed dispatch`);
  await world.cli("dispatch", "resume", "--reason", "Reconciled with the provider.");
  const kept = written.filter((write) => !lost.includes(write));
  problems.push(...(await judge(bridge, [...kept, ...repeated])));
  return {
    proof: `${lost.length} acknowledged writes missed by the ${replication} replica, and retried`,
    ...metBy([...written, ...repeated]),
    recoveryMs,
    problems,
  };
}
