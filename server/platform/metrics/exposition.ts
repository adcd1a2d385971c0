// Texts in the exposition format of Prometheus: of samples, and of several texts as one.
import { Counter, Gauge, Registry } from "prom-client";
import type { Sample } from "./instruments";

/** A metric with all its samples; without samples it is shown with its description only. */
export interface Family {
  readonly name: `sluice_${string}`;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly samples: readonly Sample<string>[];
}

/** Returns the families as text. */
export async function expositionOf(families: readonly Family[]): Promise<string> {
  const registry = new Registry();
  for (const { type, samples, name, help, labelNames } of families) {
    const metric = new { counter: Counter, gauge: Gauge }[type]({ name, help, labelNames, registers: [registry] });
    for (const { labels, value } of samples) metric.inc(labels, value);
  }
  return registry.metrics();
}

/** Returns `collect` for callers that come while another waits for it: they share its result. */
export function sharedWhileUnderWay(collect: () => Promise<string>): () => Promise<string> {
  let underWay: Promise<string> | null = null;
  return () => {
    underWay ??= collect().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

/** Joins texts of different processes: in the format, all samples of a metric follow its one description. */
export function joinExpositions(texts: readonly string[]): string {
  const samplesOf = new Map<string, string[]>();
  for (const block of texts.flatMap((text) => text.split(/^(?=# HELP )/m))) {
    const [help = "", type = "", ...samples] = block.trimEnd().split("\n");
    const description = `${help}\n${type}`;
    samplesOf.set(description, [...(samplesOf.get(description) ?? []), ...samples]);
  }
  return [...samplesOf].map(([description, samples]) => `${[description, ...samples].join("\n")}\n`).join("\n");
}
