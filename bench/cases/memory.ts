// The web process's memory during creates: slope and peak.
import type { Bench, Section } from "../bench";
import { MEMORY_PEAK, MEMORY_SLOPE } from "../names";
import { memoryOf } from "../proc";
import { slope } from "../statistics";
import { creating } from "./creates";

const CONNECTIONS = 32;
const SLICE_SECONDS = 1;
/** For the normal run; a million creates have no limit. */
const LONGEST_SECONDS = 60;
/** The first creates fill caches and compile code. */
const WARM_SHARE = 0.25;

async function watchMemory({ stage, options, note }: Bench): Promise<void> {
  const { pid } = stage.service;
  const contestant = creating(stage);
  const isBounded = options.watchedCreates <= 100_000;
  const points: [creates: number, mebibytes: number][] = [];
  const from = performance.now();
  for (let creates = 0; creates < options.watchedCreates; ) {
    if (isBounded && performance.now() - from > LONGEST_SECONDS * 1_000) break;
    creates += (await contestant.run(CONNECTIONS, SLICE_SECONDS)).done;
    const memory = memoryOf(pid);
    if (!memory) return;
    points.push([creates, memory.now]);
  }
  const [creates, now] = points.at(-1) ?? [0, Number.NaN];
  const warm = points.filter(([n]) => n > creates * WARM_SHARE);
  note({ name: "web process, creates watched", value: creates, unit: "count" });
  note({ name: "web process, memory after them", value: now, unit: "MiB" });
  note({
    name: MEMORY_SLOPE,
    value: slope(warm) * 100_000,
    unit: "MiB per 100,000",
    note: `the straight line through ${warm.length} points, one a second, without the first quarter`,
  });
  note({
    name: MEMORY_PEAK,
    value: memoryOf(pid)?.peak ?? Number.NaN,
    unit: "MiB",
    note: "since its start, all cases",
  });
}

export const memorySection: Section = { name: "memory", run: watchMemory };
