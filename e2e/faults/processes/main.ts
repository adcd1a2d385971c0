// `npm run faults:processes -- [fault…] [--seed 1]`: plays every fault of the workers under load, and prints what came of it.
import { parseArgs } from "node:util";
import { randomBelow } from "../../support/random";
import { openDatabaseStage, playUnderLoad } from "../postgres/play";
import { PROCESS_FAULTS } from "./faults";

const WORKERS = "4";
/** Longer than a worker stands still, so that it still reads the answer when it goes on. */
const PROVIDER_DEADLINE_MS = "20000";

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" } },
});
const draw = randomBelow(Number(values.seed));
const faults = Object.entries(PROCESS_FAULTS).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const stage = await openDatabaseStage({ env: { WORKER_CONCURRENCY: WORKERS, PROVIDER_DEADLINE_MS } });
let problems = 0;
try {
  for (const [name, fault] of faults) {
    const played = await playUnderLoad(stage, () => fault(stage.bridge, draw));
    problems += played.problems.length;
    process.stdout.write(
      `${name}: ${played.proof}; ${played.acknowledged} writes, ${played.unavailable} answers 503, ${played.problems.length} problems\n`,
    );
    for (const problem of played.problems) process.stdout.write(`  ✗ ${problem}\n`);
  }
} finally {
  await stage.close();
}
process.stdout.write(
  `processes: ${faults.length} faults with ${WORKERS} workers (seed ${values.seed}), ${problems} problems\n`,
);
process.exit(problems === 0 && faults.length > 0 ? 0 : 1);
