// The metrics of every process of the service, whatever its work: CPU, memory, garbage collection and event loop.
import { performance } from "node:perf_hooks";
import { Counter, collectDefaultMetrics } from "prom-client";
import { isMeasured, registry } from "./instruments";

/** Numbers that name no fault; those that end in `_total` are not even counters. */
const NOT_SHOWN = ["handles", "requests", "resources"].flatMap((kind) => [
  `nodejs_active_${kind}`,
  `nodejs_active_${kind}_total`,
]);

const ACTIVE = "sluice_event_loop_active_seconds_total";

/** Starts measuring this process, once; does nothing without METRICS_TOKEN. */
export function measureProcess(): void {
  if (!isMeasured() || registry().getSingleMetric(ACTIVE)) return;
  collectDefaultMetrics({ register: registry() });
  for (const name of NOT_SHOWN) registry().removeSingleMetric(name);
  new Counter({
    name: ACTIVE,
    help: "Time that the event loop was busy. Its rate is the utilization: near 1, the process cannot do more.",
    registers: [registry()],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1_000);
    },
  });
}

/** Returns this process's metrics in the text format of Prometheus, each with the process's name as a label. */
export async function processExposition(name: string): Promise<string> {
  measureProcess();
  registry().setDefaultLabels({ process: name });
  return registry().metrics();
}
