// Owns the life of the service: configuration, build, database, front and workers come up in order and go down in reverse.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale } from "@/server/build";
import { disconnect } from "@/server/db/client";
import { migrate } from "@/server/db/migrate";
import { ConfigurationError, env, provideRuntime } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { openRuntime } from "@/server/platform/runtime";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";
import { flushApiLog } from "@/server/services/api-logs/record";
import { seedDemoOnFirstStart } from "@/server/services/demo/seed";
import { prepareDispatch } from "@/server/services/dispatch/control";
import { prepareReferences } from "@/server/services/dispatch-references/prepare";
import type { Supervised } from "@/server/supervised-process";
import { prepareWeb } from "@/server/web";
import { startWebProcesses } from "@/server/web-processes";
import { startWorkerProcesses } from "@/server/worker-process";

/** What is to be undone at the end, latest first. */
const undo: (() => Promise<void>)[] = [];
let ending: Promise<never> | null = null;
let isEmbedded = false;
let workers: Supervised | null = null;

/** Undoes the start and exits; what is asked twice (Ctrl-C arrives from the terminal and from npm) happens once. */
function end(code: number): Promise<never> {
  ending ??= (async () => {
    for (const step of undo.reverse()) {
      await step().catch((error: unknown) => log().error({ err: error }, "a part of the service did not end well"));
    }
    process.exit(code);
  })();
  return ending;
}

/** The embedded default begins with a demo; a demo that fails keeps nobody from the service. */
async function seedDemo(): Promise<void> {
  if (!isEmbedded) return;
  await seedDemoOnFirstStart(env()).catch((error: unknown) => log().error({ err: error }, "the demo was not made"));
}

function isOriginKnown(): boolean {
  return env().baseUrl !== "http://localhost:0";
}

async function startDatabase(): Promise<void> {
  const { embedded, close } = await openRuntime("service");
  isEmbedded = embedded !== null;
  undo.push(close, disconnect, flushApiLog, async () => workers?.stop());
  embedded?.onCrash((lastWords) => {
    process.stderr.write(`The embedded Postgres ended on its own, so the service ends too. It said:\n${lastWords}\n`);
    void end(1);
  });
  const { applied } = await migrate(env().databaseUrl ?? "");
  if (applied.length > 0) log().info({ applied }, "the database was migrated");
  await prepareReferences();
  await prepareDispatch();
  // The demo's next actions name the origin, which port 0 tells only once the front listens.
  if (isOriginKnown()) await seedDemo();
}

/** Brings up whatever answers requests, with the database; gives the port. */
async function startWeb(): Promise<number> {
  const { webConcurrency, port } = env();
  if (webConcurrency > 1) {
    await startDatabase();
    const processes = startWebProcesses(webConcurrency);
    undo.push(() => processes.stop());
    return processes.listening;
  }
  const [web] = await Promise.all([prepareWeb(), startDatabase()]);
  undo.push(() => web.stop());
  return web.listen(port);
}

async function start(): Promise<void> {
  configureGateways(env().providers);
  configureRoutes(env().routes);
  await buildIfStale();
  const port = await startWeb();
  if (!isOriginKnown()) {
    provideRuntime({
      databaseUrl: env().databaseUrl ?? "",
      secrets: env().secrets,
      baseUrl: `http://localhost:${port}`,
    });
    await seedDemo();
  }
  workers = startWorkerProcesses(env().workerConcurrency);
  const demo = join(env().dataDir, "demo.env");
  const hint = existsSync(demo) ? `, demo keys in ${demo}` : "";
  process.stdout.write(`ready on ${env().baseUrl}${hint}\n`);
}

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void end(0));
try {
  await start();
} catch (error) {
  if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
  else log().fatal({ err: error }, "the service could not start");
  await end(1);
}
