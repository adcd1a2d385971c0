// A deep run of the domain driver: batches of consecutive seeds, distributed to processes.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Batch } from "./batch";
import { addCounts, type Counts } from "./coverage";

const run = promisify(execFile);
const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const MAXIMUM_OUTPUT = 64 * 1024 * 1024;

export interface DeepOptions {
  readonly firstSeed: number;
  readonly seeds: number;
  /** Histories per seed. */
  readonly size: number;
  readonly processes: number;
}

async function runWorker(...numbers: readonly number[]): Promise<Batch> {
  const words = ["--import", "tsx", WORKER, ...numbers.map(String)];
  const { stdout } = await run(process.execPath, words, { maxBuffer: MAXIMUM_OUTPUT });
  return JSON.parse(stdout) as Batch;
}

/** Plays all seeds and adds up the reports of the processes. */
export async function playDeep({ firstSeed, seeds, size, processes }: DeepOptions): Promise<Batch> {
  const shares = Array.from({ length: processes }, (_, index) =>
    runWorker(firstSeed + index, processes, Math.ceil((seeds - index) / processes), size),
  );
  const counts: Counts = {};
  const failures: Batch["failures"][number][] = [];
  let histories = 0;
  for (const share of await Promise.all(shares)) {
    addCounts(counts, share.counts);
    failures.push(...share.failures);
    histories += share.histories;
  }
  return { histories, counts, failures };
}
