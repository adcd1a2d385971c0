// `npm run faults:recovery -- [--web 200] [--postgres 200] [--workers 20] [--seed 1]`: kills each so often under load, and
// prints how long the service was away. Fails if anything is lost or unresolved, or if a goal is missed.
import { parseArgs } from "node:util";
import { randomBelow } from "../../support/random";
import { openDatabaseStage } from "../postgres/play";
import { playKills } from "./play";
import { reportOf } from "./report";

const { values } = parseArgs({
  options: {
    web: { type: "string", default: "200" },
    postgres: { type: "string", default: "200" },
    workers: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
const counts = { web: Number(values.web), postgres: Number(values.postgres), workers: Number(values.workers) };

const stage = await openDatabaseStage();
let isPassed = false;
try {
  const { line, problems } = reportOf(await playKills(stage, counts, randomBelow(seed), print), seed);
  for (const problem of problems) print(`✗ ${problem}`);
  print(line);
  isPassed = problems.length === 0;
} finally {
  await stage.close();
}
process.exit(isPassed ? 0 : 1);
