// A web process without a worker, so that every message on its connections belongs to the requests that it answers.
import { serveRequests } from "@/e2e/support/resident";
import { env } from "@/server/platform/env";
import { startDatabase } from "@/server/processes/database";
import { Shutdown } from "@/server/processes/shutdown";
import { prepareWeb } from "@/server/processes/web";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";

const shutdown = new Shutdown();
shutdown.endOnSignals();
await shutdown.run(async () => {
  configureGateways(env().providers);
  configureRoutes(env().routes);
  const [web] = await Promise.all([prepareWeb(), startDatabase(shutdown)]);
  shutdown.before(() => web.stop());
  const port = await web.listen(0);
  serveRequests(() => Promise.reject(new Error("this process answers HTTP alone")), { port });
});
