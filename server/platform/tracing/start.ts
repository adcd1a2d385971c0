// Starts and stops tracing in a process. Apart from `tracing.ts`, so that Next's bundles do not contain OpenTelemetry.
import { env } from "../env";
import { setTracer } from "./tracing";

/** Begins to export the spans of this process, a `web` process or a `worker`, if the operator has configured it. */
export async function startTracing(role: "web" | "worker"): Promise<void> {
  const setting = env().tracing;
  if (!setting) return;
  const { createTracer } = await import("./otlp");
  setTracer(createTracer(setting, role));
}

/** Exports what is left, for at most two seconds. */
export async function stopTracing(): Promise<void> {
  await setTracer(null)?.stop();
}
