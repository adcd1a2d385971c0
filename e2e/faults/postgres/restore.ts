// The database goes back to an earlier time, as after a restore: merchants retry what it has lost, and nothing is paid twice.
import { setTimeout as sleep } from "node:timers/promises";
import type { Bridge } from "../../rest/bridge";
import { judge } from "./judge";
import { repeat, startLoad, type Written } from "./load";
import { type DatabaseStage, metBy, type PlayedFault, until } from "./play";

const WRITES = 30;
/** Longer than a worker waits before it sends an approved payout. */
const SENT_WITHIN_MS = 3_000;

async function loaded(bridge: Bridge): Promise<readonly Written[]> {
  const load = startLoad(bridge);
  await until(() => load.count() >= WRITES);
  return load.stop();
}

/** Follows docs/operating.md: stop, restore, start with DISPATCH=off, look, start with DISPATCH=on. */
export async function playRestore({ server, bridge }: DatabaseStage): Promise<PlayedFault> {
  const { world, psp } = bridge;
  const kept = await loaded(bridge);
  const problems = await judge(bridge, kept);
  const restore = await server.backUp();
  await world.reconnect();
  const lost = await loaded(bridge);
  problems.push(...(await judge(bridge, lost)));

  await world.service.stop();
  await restore();
  await world.service.restart({ DISPATCH: "off" });
  await world.reconnect();
  const found = await world.database.query(
    "SELECT FROM payout_intent WHERE merchant_reference = ANY($1)",
    lost.map(({ reference }) => reference),
  );
  if (found.length > 0) problems.push(`the restore has kept ${found.length} later payouts`);
  const retried = await repeat(bridge, lost);
  const executedBefore = (await psp.record()).length;
  await sleep(SENT_WITHIN_MS);
  const executedWhileOff = (await psp.record()).length - executedBefore;
  if (executedWhileOff !== 0) problems.push(`the provider was sent ${executedWhileOff} payouts while dispatch was off`);

  const startedAt = performance.now();
  await world.service.restart({ DISPATCH: "on" });
  await world.reconnect();
  const recoveryMs = Math.round(performance.now() - startedAt);
  problems.push(...(await judge(bridge, [...kept, ...retried])));
  return {
    proof: `${lost.length} writes lost and retried`,
    ...metBy([...kept, ...lost, ...retried]),
    recoveryMs,
    problems,
  };
}
