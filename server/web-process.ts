// Owns one web process of several: its start, its orderly end; started by web-processes.ts, which hands it connections.
import { disconnect } from "@/server/db/client";
import { ConfigurationError, env, provideRuntime } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { flushApiLog } from "@/server/services/api-logs/record";
import { prepareWeb, type Web } from "./web";

let web: Web | null = null;
let ending: Promise<never> | null = null;

function end(): Promise<never> {
  ending ??= (async () => {
    for (const step of [async () => web?.stop(), flushApiLog, disconnect]) {
      await step().catch((error: unknown) => log().error({ err: error }, "a web process did not end well"));
    }
    process.exit(0);
  })();
  return ending;
}

try {
  configureGateways(env().providers);
  configureRoutes(env().routes);
  process.on("SIGTERM", () => void end());
  // Ctrl-C reaches the whole terminal; the service decides when its web processes end.
  process.on("SIGINT", () => undefined);
  web = await prepareWeb();
  const port = await web.listen(env().port);
  if (env().port === 0) {
    const { databaseUrl, secrets } = env();
    provideRuntime({ databaseUrl: databaseUrl ?? "", secrets, baseUrl: `http://localhost:${port}` });
  }
} catch (error) {
  if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
  else log().fatal({ err: error }, "a web process could not start");
  process.exit(1);
}
