// The worker as a process of its own: its start, its orderly end, and that it never outlives the service.
import { ConfigurationError, env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { runWorker } from "./run";

/** What was begun may finish; after this it is left to the lease, and the next worker takes it over. */
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
  // Ctrl-C reaches the whole terminal; the service decides when its worker ends.
  process.on("SIGINT", () => process.connected || end("SIGINT"));
  process.on("disconnect", () => end("the service is gone"));
  // Killed while this process was still starting: the event came before anyone listened. Undefined without a service.
  if (process.connected === false) end("the service is gone");
  log().info("worker starts");
  await runWorker(ending.signal);
  process.exit(0);
} catch (error) {
  if (error instanceof ConfigurationError) process.stderr.write(`${error.message}\n`);
  else log().fatal({ err: error }, "the worker failed");
  process.exit(1);
}
