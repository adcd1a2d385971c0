import { createServer } from "node:http";
import { PROJECT_ROOT } from "@/server/build/build";
import { createFrontServer } from "@/server/http/direct-host";
import { handleApiRequest } from "@/server/http/handler";
import { declareProduction } from "@/server/platform/env";
import { finishRecording } from "@/server/services/intents/record-answer";

const DRAIN_WITHIN_MS = 10_000;

export interface Web {
  /** Accepts requests; gives the port, which the system chooses where 0 is asked for. Rejects when it is taken. */
  listen(port: number): Promise<number>;
  /** Accepts no more, finishes what is under way within 15 s. */
  stop(): Promise<void>;
}

/** Makes everything ready to listen; the pages must have been built. */
export async function prepareWeb(): Promise<Web> {
  declareProduction();
  const { default: createNext } = await import("next");
  // A server that never listens keeps Next from taking upgrades of the real one.
  const next = createNext({ dev: false, dir: PROJECT_ROOT, httpServer: createServer() });
  await next.prepare();
  const front = createFrontServer({ handle: handleApiRequest, next: next.getRequestHandler() });
  return {
    listen: (port) => front.listen(port),
    async stop() {
      await front.drain(DRAIN_WITHIN_MS);
      await finishRecording();
      await next.close();
    },
  };
}
