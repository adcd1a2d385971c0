// The worker's process: starts, shuts down in order, and never outlives the service.
import { ConfigurationError, env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { answerMetrics } from "@/server/platform/metrics/channel";
import { measureProcess, processExposition } from "@/server/platform/metrics/process";
import { startTracing, stopTracing } from "@/server/platform/tracing/start";
import { runWorker } from "./run";

/** Time for started work to finish at shutdown. After it the lease expires and the next worker takes over. */
const END_WITHIN_MS = 10_000;

const ending = new AbortController();

function end(reason: string): void {
  if (ending.signal.aborted) return;
  log().info({ reason }, "worker ends");
  ending.abort();
  setTimeout(() => process.exit(0), END_WITHIN_MS).unref();
}

try {
  env();
  process.on("SIGTERM", () => end("SIGTERM"));
  // Ctrl-C reaches every process of the terminal, but the service stops its own worker.
  process.on("SIGINT", () => process.connected || end("SIGINT"));
  process.on("disconnect", () => end("the service is gone"));
  // The service may have exited before the listener was attached. Undefined when the worker runs without a service.
  if (process.connected === false) end("the service is gone");
  measureProcess();
  answerMetrics(process, processExposition);
  await startTracing("worker");
  log().info("worker starts");
  await runWorker(ending.signal);
  await stopTracing();
  process.exit(0);
} catch (error) {
  if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
  else log().fatal({ err: error }, "the worker failed");
  process.exit(1);
}
