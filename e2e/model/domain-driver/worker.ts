// One process of a deep run: plays the batches of its seeds and prints the result as one line of JSON.
// Arguments: first seed, stride of seeds, number of seeds, histories per seed, and optionally the only kind to play.

import { KINDS } from "../world/history";
import { type Batch, playBatch } from "./batch";
import { addCounts, type Counts } from "./coverage";

const [first = 1, stride = 1, batches = 1, size = 3_000] = process.argv.slice(2, 6).map(Number);
const [only] = process.argv.slice(6);
const kinds = KINDS.filter((kind) => only === undefined || kind === only);
const counts: Counts = {};
const failures: Batch["failures"][number][] = [];
let histories = 0;
for (let index = 0; index < batches; index += 1) {
  const batch = playBatch(first + index * stride, size, kinds);
  addCounts(counts, batch.counts);
  failures.push(...batch.failures);
  histories += batch.histories;
}
process.stdout.write(`${JSON.stringify({ histories, counts, failures } satisfies Batch)}\n`);
