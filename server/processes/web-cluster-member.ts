// One web process of several. The service's main process starts it and distributes connections to it.
import { disconnect } from "@/server/db/client";
import { ConfigurationError, env, provideRuntime } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { flushApiLog } from "@/server/services/api-logs/record";
import { shareMetrics } from "./service-metrics";
import { Shutdown } from "./shutdown";
import { prepareWeb } from "./web";

const shutdown = new Shutdown();

try {
  configureGateways(env().providers);
  configureRoutes(env().routes);
  process.on("SIGTERM", () => void shutdown.end(0));
  // Ctrl-C reaches every process of the terminal; the main process decides when this one stops.
  process.on("SIGINT", () => undefined);
  shareMetrics();
  shutdown.before(disconnect, flushApiLog);
  const web = await prepareWeb();
  shutdown.before(() => web.stop());
  const port = await web.listen(env().port);
  if (env().port === 0) {
    provideRuntime({ databaseUrl: env().databaseUrl ?? "", baseUrl: `http://localhost:${port}` });
  }
} catch (error) {
  if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
  else log().fatal({ err: error }, "a web process could not start");
  process.exit(1);
}
