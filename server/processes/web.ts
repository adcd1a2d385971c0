import { createServer } from "node:http";
import { PROJECT_ROOT } from "@/server/build/build";
import { declareFront } from "@/server/http/client-address";
import { createFrontServer } from "@/server/http/direct-host";
import { handleApiRequest } from "@/server/http/handler";
import { declareProduction, env } from "@/server/platform/env";
import { startTracing, stopTracing } from "@/server/platform/tracing/start";
import { finishRecording } from "@/server/services/intents/record-answer";
import { listenOn } from "./listen";

const DRAIN_WITHIN_MS = 10_000;

export interface Web {
  /** Accepts requests and resolves to the port; the system chooses one for 0. Throws ConfigurationError if the port is taken. */
  listen(port: number): Promise<number>;
  /** Stops accepting requests and finishes those in progress within 15 s. */
  stop(): Promise<void>;
}

/** Prepares the server; the pages must have been built. */
export async function prepareWeb(): Promise<Web> {
  declareProduction();
  await startTracing("web");
  const { default: createNext } = await import("next");
  // Next attaches its upgrade handler to this server, which never listens, instead of the real one.
  const next = createNext({ dev: false, dir: PROJECT_ROOT, httpServer: createServer() });
  await next.prepare();
  declareFront();
  const front = createFrontServer({
    trustedProxies: env().trustedProxies,
    handle: handleApiRequest,
    next: next.getRequestHandler(),
  });
  return {
    listen: (port) => listenOn(front, port, env().host),
    async stop() {
      await front.drain(DRAIN_WITHIN_MS);
      await finishRecording();
      await next.close();
      await stopTracing();
    },
  };
}
