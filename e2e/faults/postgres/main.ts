// `npm run faults:postgres [fault…]`: plays every fault of the database under load, and prints what came of it.
import { playFailover } from "./failover";
import { FAULTS } from "./faults";
import { type DatabaseStage, openDatabaseStage, type PlayedFault, playFault } from "./play";
import { playRestore } from "./restore";

const PLAYS: Readonly<Record<string, (stage: DatabaseStage) => Promise<PlayedFault>>> = {
  ...Object.fromEntries(Object.entries(FAULTS).map(([name, fault]) => [name, (stage) => playFault(stage, fault)])),
  restore: playRestore,
  failover: playFailover,
};

const wanted = process.argv.slice(2);
const names = Object.keys(PLAYS).filter((name) => wanted.length === 0 || wanted.includes(name));
const stage = await openDatabaseStage({ isDiskSmall: true });
let problems = 0;
try {
  for (const name of names) {
    const play = PLAYS[name];
    if (!play) continue;
    const played = await play(stage).catch((error: Error) => {
      if (!error.message.startsWith("needs ")) throw error;
      process.stdout.write(`${name}: skipped: ${error.message}\n`);
      return null;
    });
    if (!played) continue;
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
