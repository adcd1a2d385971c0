// `next start` on the database of the shared service: the API as served without our own HTTP server.
import { join } from "node:path";
import { readKeptData } from "./kept-data";
import { freePort, type ServiceAddress } from "./service";
import { endInOrder, spawnNode, untilReady, type Variables } from "./service-process";

export interface NextService extends ServiceAddress {
  stop(): Promise<unknown>;
}

/** Starts `next start` beside a running service with its database, keys and data folder; `env` is the service's own. */
export async function startNextHost({ baseUrl, dataDir }: ServiceAddress, env: Variables): Promise<NextService> {
  const port = await freePort();
  const log = join(dataDir, `next-${port}.log`);
  const variables = {
    ...env,
    NEXT_TELEMETRY_DISABLED: "1",
    ...readKeptData(dataDir),
    // Links in answers name the one origin of the service, whichever process answers.
    BASE_URL: baseUrl,
  };
  const running = spawnNode(["node_modules/next/dist/bin/next", "start", "--port", String(port)], variables, log);
  const killAtExit = () => running.signal("SIGKILL", "group");
  process.once("exit", killAtExit);
  const address = `http://localhost:${port}`;
  await untilReady(running, address, log);
  return {
    baseUrl: address,
    dataDir,
    async stop() {
      process.off("exit", killAtExit);
      await endInOrder(running);
    },
  };
}
