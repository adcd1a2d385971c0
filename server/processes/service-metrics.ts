// The metrics of the whole service. The main process collects those of all its processes, and reads the work that waits once
// for all of them.
import { ServiceError } from "@/server/domain/errors";
import { collectMetricsBy } from "@/server/http/metrics";
import { answerMetrics, askForMetrics } from "@/server/platform/metrics/channel";
import { expositionOf, type Family, joinExpositions } from "@/server/platform/metrics/exposition";
import { measureProcess, processExposition } from "@/server/platform/metrics/process";
import { workExposition } from "@/server/services/work-metrics";
import type { Supervised, SupervisedGroup } from "./supervise";

/** A process that has not answered within this time counts as down: shorter than the usual scrape timeout of 10 s. */
const PROCESS_ANSWERS_WITHIN_MS = 3_000;
/** Longer than the main process needs to collect everything. */
const ALL_ANSWER_WITHIN_MS = 8_000;

interface Collected {
  readonly name: string;
  /** Null if the process is down or did not answer in time. */
  readonly text: string | null;
  readonly restarts: number;
}

async function collectFrom(name: string, { process, restarts }: Supervised): Promise<Collected> {
  const text = process ? await askForMetrics(process, name, PROCESS_ANSWERS_WITHIN_MS) : null;
  return { name, text, restarts };
}

function families(collected: readonly Collected[]): Family[] {
  const perProcess = (value: (one: Collected) => number) =>
    collected.map((one) => ({ labels: { process: one.name }, value: value(one) }));
  return [
    {
      name: "sluice_process_up",
      type: "gauge",
      help: "1 if the process answered this scrape, 0 if it is down or hangs.",
      labelNames: ["process"],
      samples: perProcess(({ text }) => (text === null ? 0 : 1)),
    },
    {
      name: "sluice_process_restarts_total",
      type: "counter",
      help: "How often the process died and was restarted.",
      labelNames: ["process"],
      samples: perProcess(({ restarts }) => restarts),
    },
  ];
}

/** The processes beside the main one; null before they are started, or if the main process does their work. */
export interface ProcessGroups {
  web: SupervisedGroup | null;
  worker: SupervisedGroup | null;
}

/** Returns the metrics of all processes and of the work that waits. Runs in the main process, whose name is `own`. */
export async function collectServiceMetrics(own: "main" | "web-1", groups: Readonly<ProcessGroups>): Promise<string> {
  const others = Object.entries(groups as Readonly<Record<string, SupervisedGroup | null>>).flatMap(([role, group]) =>
    (group?.members ?? []).map((member, place) => collectFrom(`${role}-${place + 1}`, member)),
  );
  const [ownText, work, ...answers] = await Promise.all([processExposition(own), workExposition(), ...others]);
  const collected = [{ name: own, text: ownText, restarts: 0 }, ...answers];
  const texts = collected.flatMap(({ text }) => (text === null ? [] : [text]));
  return joinExpositions([await expositionOf(families(collected)), work, ...texts]);
}

/** Makes a web process measure itself for the main process, and answer scrapes with what that has collected. */
export function shareMetrics(): void {
  measureProcess();
  answerMetrics(process, processExposition);
  collectMetricsBy(async () => {
    const text = await askForMetrics(process, "", ALL_ANSWER_WITHIN_MS);
    if (text === null) throw new ServiceError("service_unavailable", "The metrics could not be collected; retry.", 1);
    return text;
  });
}
