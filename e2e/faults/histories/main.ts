// `npm run faults:histories -- [--histories 20] [--seed 1]`: plays histories of clients at random under faults, and prints what
// came of them. One in twenty is long.
import { parseArgs } from "node:util";
import { randomBelow } from "../../support/random";
import { FAULT_NAMES } from "./disturber";
import { playHistory } from "./play";
import { openHistoryStage } from "./stage";

const OPERATIONS = { short: 200, long: 1_600 };
const LONG_EVERY = 20;

const { values } = parseArgs({
  options: { histories: { type: "string", default: "20" }, seed: { type: "string", default: "1" } },
});
const [histories, firstSeed] = [Number(values.histories), Number(values.seed)];

const print = (line: string) => process.stdout.write(`${line}\n`);
const counts: Record<string, number> = {};
let [operations, checks, problems] = [0, 0, 0];
let [sightings, walks] = [0, 0];

const stage = await openHistoryStage();
try {
  for (let seed = firstSeed; seed < firstSeed + histories; seed += 1) {
    const startedAt = performance.now();
    const played = await playHistory(stage, randomBelow(seed), OPERATIONS[seed % LONG_EVERY === 0 ? "long" : "short"]);
    const faults = Object.values(played.counts).reduce((sum, count) => sum + count, 0);
    for (const [name, count] of Object.entries(played.counts)) counts[name] = (counts[name] ?? 0) + count;
    operations += played.operations;
    checks += played.checks;
    problems += played.problems.length;
    sightings += played.sightings;
    walks += played.walks;
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    const told = `${played.unavailable} answers 503, ${played.broken} broken connections, ${played.checks} checks meanwhile, ${played.walks} walks`;
    print(
      `seed ${seed}: ${played.operations} operations, ${faults} faults, ${told}, ${played.problems.length} problems, ${seconds} s`,
    );
    for (const problem of played.problems) print(`  ✗ ${problem}`);
  }
} finally {
  await stage.close();
}
print("");
for (const name of FAULT_NAMES) print(`${name.padEnd(40)} ${counts[name] ?? 0}`);
const faults = Object.values(counts).reduce((sum, count) => sum + count, 0);
print(
  `histories: ${histories} (seeds ${firstSeed} to ${firstSeed + histories - 1}), ${operations} operations, ${faults} faults, ${checks} checks meanwhile, ${sightings} statuses seen, ${walks} walks, ${problems} problems`,
);
process.exit(problems === 0 && operations > 0 ? 0 : 1);
