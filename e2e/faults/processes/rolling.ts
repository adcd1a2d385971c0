// Rolling restarts: two services behind a balancer, one with the code of an older release, restarted in turn every 5 s.
import { setTimeout as sleep } from "node:timers/promises";
import { createApi } from "../../support/api";
import { type DatabaseStage, type PlayedFault, playUnderLoad } from "../postgres/play";
import { startBalancer } from "./balancer";
import { startTwin } from "./twin";

const RESTARTS = 12;
const EVERY_MS = 5_000;

/** Plays it on a database that has this project's schema; `root` is the folder of the older release, built. */
export async function playRolling({ bridge }: DatabaseStage, root: string): Promise<PlayedFault> {
  const { world, psp, merchant } = bridge;
  const older = await startTwin(bridge, { root });
  const balancer = await startBalancer();
  try {
    const services = [world.service, older];
    for (const { port } of services) balancer.add(port);
    await psp.callbacksTo(balancer.url);
    // The two releases document different answers.
    const live = createApi(balancer.url, merchant.keys.live, () => {});
    const restartAll = async () => {
      for (let n = 0; n < RESTARTS; n += 1) {
        const next = sleep(EVERY_MS);
        const service = services[n % services.length] as (typeof services)[number];
        balancer.remove(service.port);
        await service.restart();
        balancer.add(service.port);
        await next;
      }
      // What the older one has begun, the newer one ends.
      balancer.remove(older.port);
      await older.stop();
      const connections = balancer.connectionsTo(older.port);
      if (connections === 0) throw new Error("the older release got no request");
      return `${RESTARTS} restarts in turn with an older release, which got ${connections} connections`;
    };
    return await playUnderLoad({ bridge: { ...bridge, live } }, restartAll, { brokenConnections: true });
  } finally {
    await balancer.close();
    await older.dispose();
  }
}
