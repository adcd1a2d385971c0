// Preloaded into each process of the service: on SIGUSR2 it collects its garbage, and writes how much memory is still in use.
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const folder = process.env.SOAK_MEMORY_FOLDER ?? ".";
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

process.on("SIGUSR2", () => {
  // What the first collection has found may hold more until it is finalized.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const file = join(folder, `${process.pid}`);
  writeFileSync(`${file}.new`, String(heapUsed + external));
  renameSync(`${file}.new`, file);
});
