// How soon healthy receivers have their events beside hostile ones, and what of it is lost.
import type { Bench, Section } from "../bench";
import { HEALTHY_P50, HEALTHY_P99, LOST } from "../names";
import { memoryOf } from "../proc";
import { percentile } from "../statistics";
import { ENDPOINTS, playBesideHostile } from "../webhooks/play";
import { workerOf } from "../webhooks/shared";

async function measureHostile({ stage, options, note }: Bench): Promise<void> {
  const worker = workerOf(stage);
  const memory: number[] = [];
  const [merchants, seconds] = options.isQuick ? [4, 9] : [20, 66];
  const { events, took, lost, repeated, hostileAttempts, met } = await playBesideHostile(stage, {
    merchants,
    seconds,
    isSubscribedToAll: false,
    atStretch: () => void memory.push(memoryOf(worker)?.now ?? Number.NaN),
  });
  const remark = `${events} events, ${Math.round(events / seconds)} a second; ${took.length} deliveries to ${merchants * (ENDPOINTS - 1)} healthy endpoints, beside ${merchants} hostile ones`;
  note({ name: HEALTHY_P50, value: percentile(took, 0.5), unit: "ms", note: remark });
  note({ name: HEALTHY_P99, value: percentile(took, 0.99), unit: "ms", note: remark });
  note({ name: "healthy receivers beside hostile ones, longest", value: took.at(-1) ?? Number.NaN, unit: "ms" });
  note({ name: "kinds of hostile receivers that were connected to", value: met.length, unit: "count" });
  note({ name: "finished attempts at hostile receivers", value: hostileAttempts, unit: "count" });
  for (const [n, value] of memory.entries())
    note({
      name: `worker, memory after ${n} of ${memory.length - 1} stretches beside hostile ones`,
      value,
      unit: "MiB",
    });
  note({ name: LOST, value: lost.length, unit: "count", note: "by the ids of events and what arrived" });
  note({ name: "deliveries that arrived again", value: repeated.length, unit: "count" });
  if (lost.length > 0) throw new Error(`${lost.length} deliveries were lost, the first of them ${lost[0]}`);
}

export const hostileSection: Section = { name: "hostile-receivers", run: measureHostile };
