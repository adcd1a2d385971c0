// Every fault of the service's processes by its name, each on a stage of its own, because each needs another configuration.
import type { Variables } from "../../support/service-process";
import { type DatabaseStage, openDatabaseStage, type PlayedFault } from "../postgres/play";
import type { Plays } from "../postgres/series";
import { playClockOfDatabase, playClocksOfProcesses } from "./clocks";
import { playBusyCores, playDescriptors, playMemory, SUPERVISED } from "./limits";
import { folderOfRelease } from "./release";
import { playRolling } from "./rolling";
import { playKilledWorkers, playZombies, WITH_WORKERS } from "./workers";

const on = (env: Variables, play: (stage: DatabaseStage) => Promise<PlayedFault>) => async () => {
  const stage = await openDatabaseStage({ env });
  try {
    return await play(stage);
  } finally {
    await stage.close();
  }
};

/** `draw` chooses the workers that are killed; `release` is the commit of the older release. */
export const playsOf = (draw: (below: number) => number, release: string) =>
  ({
    zombies: on(WITH_WORKERS, playZombies),
    killed: on(WITH_WORKERS, (stage) => playKilledWorkers(stage, draw)),
    clocks: playClocksOfProcesses,
    "clock of the database": playClockOfDatabase,
    descriptors: on(SUPERVISED, playDescriptors),
    memory: on(SUPERVISED, playMemory),
    "busy cores": on(SUPERVISED, playBusyCores),
    rolling: on({}, (stage) => playRolling(stage, folderOfRelease(release))),
  }) as const satisfies Plays;
