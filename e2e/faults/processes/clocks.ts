// Clocks that are set while the service runs: of its web processes, of its workers, and of the database.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type DatabaseStage, openDatabaseStage, type PlayedFault, playUnderLoad } from "../postgres/play";
import { createFakeClock, type FakeClock, READ_WITHIN_MS } from "./fake-clock";
import { startTwin } from "./twin";

const HOUR = 3_600;
const JUMPS = [HOUR, -HOUR, 25 * HOUR, -25 * HOUR, -5, 0];
/**
 * Back by no more than the 5 s that the check of approvals before dispatch allows (docs/invariants.md), and ahead by less
 * than a quote is valid, since the provider's clock stays: top-ups could not be quoted (docs/operating.md).
 */
const JUMPS_OF_DATABASE = [-5, 60, 55, 240, 235];
/** How long the load runs after each. */
const LOADED_MS = 1_000;

type Clocks = Readonly<Record<"web" | "worker" | "database", FakeClock>>;

/** Throws unless a process with this clock sees that offset. */
function check({ variables }: FakeClock, seconds: number): void {
  const seen = Number(execFileSync("date", ["+%s"], { env: { ...process.env, ...variables } }));
  const offset = seen - Date.now() / 1_000;
  if (Math.abs(offset - seconds) > 5) throw new Error(`a clock set to ${seconds} s shows ${offset} s`);
}

/** Sets each of the clocks to every offset, one after the other. */
async function setEach(clocks: readonly FakeClock[], offsets: readonly number[]): Promise<string> {
  for (const clock of clocks) {
    for (const seconds of offsets) {
      clock.set(seconds);
      check(clock, seconds);
      await sleep(READ_WITHIN_MS + LOADED_MS);
    }
  }
  return `${clocks.length * offsets.length} jumps`;
}

async function onClocks(play: (stage: DatabaseStage, clocks: Clocks) => Promise<PlayedFault>): Promise<PlayedFault> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-clocks-"));
  // The database may run as another user, who reads its clock here.
  chmodSync(folder, 0o711);
  try {
    const create = (name: string) => createFakeClock(folder, name);
    const clocks = { web: create("web"), worker: create("worker"), database: create("database") };
    const env = { ...clocks.web.variables, WORKER_CONCURRENCY: "0" };
    const stage = await openDatabaseStage({ env, databaseEnv: clocks.database.variables });
    try {
      const workers = await startTwin(stage.bridge, { env: { ...clocks.worker.variables, WORKER_CONCURRENCY: "1" } });
      try {
        return await play(stage, clocks);
      } finally {
        await workers.dispose();
      }
    } finally {
      await stage.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The service has one clock, the database's: jumps of its processes' clocks change nothing. */
export function playClocksOfProcesses(): Promise<PlayedFault> {
  return onClocks(async (stage, { web, worker }) => {
    const played = await playUnderLoad(stage, () => setEach([web, worker], JUMPS));
    const ended = await stage.bridge.world.database.query<{ id: string }>(
      "SELECT id FROM payment_intent WHERE status = 'expired'",
    );
    return { ...played, problems: [...played.problems, ...ended.map(({ id }) => `${id} has expired early`)] };
  });
}

/** Whatever the database's clock shows, nothing is lost, and nothing is paid twice. */
export function playClockOfDatabase(): Promise<PlayedFault> {
  return onClocks((stage, { database }) => playUnderLoad(stage, () => setEach([database], JUMPS_OF_DATABASE)));
}
