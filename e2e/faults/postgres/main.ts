// `npm run faults:postgres [fault…]`: plays every fault of the database under load, and prints what came of it.
import { playFailover } from "./failover";
import { FAULTS } from "./faults";
import { openDatabaseStage, playFault } from "./play";
import { playLostMachine, playPointInTime } from "./point-in-time";
import { playRestore } from "./restore";
import { playSeries } from "./series";

const stage = await openDatabaseStage({ isDiskSmall: true });
let isPassed = false;
try {
  const faults = Object.entries(FAULTS).map(([name, fault]) => [name, () => playFault(stage, fault)] as const);
  const plays = {
    ...Object.fromEntries(faults),
    restore: () => playRestore(stage),
    "synchronous failover": () => playFailover(stage, "synchronous"),
    failover: () => playFailover(stage, "asynchronous"),
    "point in time": playPointInTime,
    "lost machine": playLostMachine,
  };
  isPassed = await playSeries("postgres", plays, process.argv.slice(2));
} finally {
  await stage.close();
}
process.exit(isPassed ? 0 : 1);
