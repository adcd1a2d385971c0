// `npm run faults:postgres [fault…]`: plays every fault of the database under load, and prints what came of it.
import { FAULTS } from "./faults";
import { openDatabaseStage, playFault } from "./play";

const wanted = process.argv.slice(2);
const names = Object.keys(FAULTS).filter((name) => wanted.length === 0 || wanted.includes(name));
const stage = await openDatabaseStage();
let problems = 0;
try {
  for (const name of names) {
    const fault = FAULTS[name];
    if (!fault) continue;
    const played = await playFault(stage, fault);
    problems += played.problems.length;
    const { proof, acknowledged, unavailable, recoveryMs } = played;
    process.stdout.write(
      `${name}: ${proof}; ${acknowledged} writes, ${unavailable} answers 503, back after ${recoveryMs} ms, ${played.problems.length} problems\n`,
    );
    for (const problem of played.problems) process.stdout.write(`  ✗ ${problem}\n`);
  }
} finally {
  await stage.close();
}
process.stdout.write(`postgres: ${names.length} faults, ${problems} problems\n`);
process.exit(problems === 0 && names.length > 0 ? 0 : 1);
