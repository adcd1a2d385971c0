// `npm run faults:processes -- [fault…] [--seed 1] [--release commit]`: plays every fault of the service's processes under load,
// and prints what came of it.
import { parseArgs } from "node:util";
import { randomBelow } from "../../support/random";
import type { Variables } from "../../support/service-process";
import { type DatabaseStage, openDatabaseStage, type PlayedFault } from "../postgres/play";
import { playSeries } from "../postgres/series";
import { playClockOfDatabase, playClocksOfProcesses } from "./clocks";
import { playBusyCores, playDescriptors, playMemory, SUPERVISED } from "./limits";
import { folderOfRelease, OLDER_RELEASE } from "./release";
import { playRolling } from "./rolling";
import { playKilledWorkers, playZombies, WITH_WORKERS } from "./workers";

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, release: { type: "string", default: OLDER_RELEASE } },
});
const draw = randomBelow(Number(values.seed));

/** Plays on a stage of its own, because each fault needs another configuration. */
const on = (env: Variables, play: (stage: DatabaseStage) => Promise<PlayedFault>) => async () => {
  const stage = await openDatabaseStage({ env });
  try {
    return await play(stage);
  } finally {
    await stage.close();
  }
};

const plays = {
  zombies: on(WITH_WORKERS, playZombies),
  killed: on(WITH_WORKERS, (stage) => playKilledWorkers(stage, draw)),
  clocks: playClocksOfProcesses,
  "clock of the database": playClockOfDatabase,
  descriptors: on(SUPERVISED, playDescriptors),
  memory: on(SUPERVISED, playMemory),
  "busy cores": on(SUPERVISED, playBusyCores),
  rolling: on({}, (stage) => playRolling(stage, folderOfRelease(values.release))),
};
process.exit((await playSeries(`processes (seed ${values.seed})`, plays, wanted)) ? 0 : 1);
