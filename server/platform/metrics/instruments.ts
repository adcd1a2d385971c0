// The metrics of this process. Each subject declares its own beside the code that it measures; docs/monitoring.md lists all.
import { Counter, Gauge, Histogram, type LabelValues, type Metric, Registry } from "prom-client";
import { env } from "../env";

/** Next's bundles and the custom server are separate module graphs; they share state through globalThis. */
const shared = globalThis as typeof globalThis & { sluiceMetrics?: Registry };

/** Returns the registry of this process. */
export function registry(): Registry {
  shared.sluiceMetrics ??= new Registry();
  return shared.sluiceMetrics;
}

/** Returns true if the operator has set METRICS_TOKEN. Otherwise nothing is recorded. */
export function isMeasured(): boolean {
  return env().metricsToken !== null;
}

/** What each metric is declared with. */
interface Declaration<Label extends string> {
  /** In base units, by the conventions of Prometheus: `…_seconds`, `…_bytes`, `…_total`. */
  readonly name: `sluice_${string}`;
  readonly help: string;
  /** Each has few values: no ids, and nothing that a caller chooses. */
  readonly labelNames: readonly Label[];
}

/** The label `cell` is left out where there is one cell only. */
type Labels<Label extends string> = Readonly<Record<Exclude<Label, "cell">, string>> &
  ("cell" extends Label ? { readonly cell?: string } : unknown);

/** Both module graphs declare each metric; the second declaration finds the first. */
function declareOnce<Kind extends Metric>(name: string, create: () => Kind): Kind {
  return (registry().getSingleMetric(name) as Kind | undefined) ?? create();
}

/**
 * Declares a counter; returns the function that adds to it, 1 by default. `begins` returns the labels whose count is shown as 0
 * before the first: without labels, each counter begins so.
 */
export function counter<Label extends string>(
  declaration: Declaration<Label> & { readonly begins?: () => readonly Labels<Label>[] },
): (labels: Labels<Label>, by?: number) => void {
  const { begins, ...rest } = declaration;
  const create = () =>
    new Counter({
      ...rest,
      registers: [registry()],
      collect() {
        for (const labels of begins?.() ?? []) this.inc(labels as LabelValues<Label>, 0);
      },
    });
  const metric = declareOnce(declaration.name, create);
  return (labels, by = 1) => {
    if (isMeasured()) metric.inc(labels as LabelValues<Label>, by);
  };
}

/** Declares a histogram of durations, with upper bounds in seconds; returns the function that records one, in ms. */
export function durations<Label extends string>(
  declaration: Declaration<Label> & { readonly buckets: readonly number[] },
): (labels: Labels<Label>, ms: number) => void {
  const { buckets, ...rest } = declaration;
  const create = () => new Histogram({ ...rest, buckets: [...buckets], registers: [registry()] });
  const metric = declareOnce(declaration.name, create);
  return (labels, ms) => {
    if (isMeasured()) metric.observe(labels as LabelValues<Label>, ms / 1_000);
  };
}

export interface Sample<Label extends string> {
  readonly labels: Labels<Label>;
  readonly value: number;
}

/** Declares a gauge whose samples are read at each scrape. */
export function sampled<Label extends string>(
  declaration: Declaration<Label>,
  read: () => readonly Sample<Label>[],
): void {
  declareOnce(
    declaration.name,
    () =>
      new Gauge({
        ...declaration,
        registers: [registry()],
        collect() {
          this.reset();
          for (const { labels, value } of read()) this.set(labels as LabelValues<Label>, value);
        },
      }),
  );
}
