// The service: configuration, build, database, web and workers start in this order and stop in reverse.
import { buildIfStale } from "@/server/build/build";
import { collectMetricsBy } from "@/server/http/metrics";
import { env, provideRuntime } from "@/server/platform/env";
import { sharedWhileUnderWay } from "@/server/platform/metrics/exposition";
import { measureProcess } from "@/server/platform/metrics/process";
import { startDatabase } from "@/server/processes/database";
import { demoHint, seedDemo } from "@/server/processes/demo";
import { collectServiceMetrics, type ProcessGroups } from "@/server/processes/service-metrics";
import { Shutdown } from "@/server/processes/shutdown";
import { prepareWeb } from "@/server/processes/web";
import { startWebProcesses } from "@/server/processes/web-cluster";
import { startWorkerProcesses } from "@/server/processes/worker-pool";
import { configureGateways } from "@/server/psp/registry";
import { configureRoutes } from "@/server/psp/routes";

const shutdown = new Shutdown();
const processes: ProcessGroups = { web: null, worker: null };
/** Several web processes may ask at once. */
const metricsForWeb = sharedWhileUnderWay(() => collectServiceMetrics("main", processes));

function isOriginKnown(): boolean {
  return env().baseUrl !== "http://localhost:0";
}

/**
 * Starts the database, and seeds the demo if the origin is already known: the demo's payer pages contain the origin.
 */
async function startDatabaseWithDemo(): Promise<{ readonly isEmbedded: boolean }> {
  const database = await startDatabase(shutdown);
  // Added before the web's step: on shutdown the web stops accepting requests first, then the workers stop.
  shutdown.before(async () => processes.worker?.stop());
  if (database.isEmbedded && isOriginKnown()) await seedDemo();
  return database;
}

/** Waits for both to end. A failure of one then finds nothing of the other half started. */
async function both<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** Builds if necessary. The embedded database is created meanwhile; an operator's is not migrated for a failed build. */
async function beginBuild(): Promise<{ readonly built: Promise<unknown> }> {
  const built = buildIfStale();
  if (env().databaseUrl !== null) await built;
  return { built };
}

/** Builds if necessary, and starts the database and the web processes; returns the port. */
async function startWeb(): Promise<{ readonly port: number; readonly isEmbedded: boolean }> {
  const { webConcurrency, port } = env();
  const { built } = await beginBuild();
  if (webConcurrency > 1) {
    const [, { isEmbedded }] = await both(built, startDatabaseWithDemo());
    const web = startWebProcesses(webConcurrency, metricsForWeb);
    processes.web = web;
    shutdown.before(() => web.stop());
    return { port: await web.listening, isEmbedded };
  }
  collectMetricsBy(() => collectServiceMetrics("web-1", processes));
  const [web, { isEmbedded }] = await both(built.then(prepareWeb), startDatabaseWithDemo());
  shutdown.before(() => web.stop());
  return { port: await web.listen(port), isEmbedded };
}

async function start(): Promise<void> {
  configureGateways(env().providers);
  configureRoutes(env().routes);
  measureProcess();
  const { port, isEmbedded } = await startWeb();
  if (!isOriginKnown()) {
    provideRuntime({ databaseUrl: env().databaseUrl ?? "", baseUrl: `http://localhost:${port}` });
    if (isEmbedded) await seedDemo();
  }
  processes.worker = startWorkerProcesses(env().workerConcurrency);
  process.stdout.write(`ready on ${env().baseUrl}${demoHint()}\n`);
}

shutdown.endOnSignals();
await shutdown.run(start);
