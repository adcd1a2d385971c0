// Kills the web process or the whole database server under load, starts it again at once, as a supervisor does, and times
// the next acknowledged write.
import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "../../support/service";
import type { Load } from "../postgres/load";
import { type DatabaseStage, until } from "../postgres/play";
import type { Acknowledgements } from "./acknowledgements";

/** What is killed under this load. */
export interface LoadedStage {
  readonly stage: DatabaseStage;
  readonly load: Load;
  readonly acknowledgements: Acknowledgements;
}

/** Writes between two kills at least. */
const BETWEEN = 8;
/** A random time is added, so that kills come at any moment of the service's own rounds. */
const LONGEST_PAUSE_MS = 1_000;
const STARTS_WITHIN_MS = 120_000;

export interface Victim {
  /** Null while it does not run. */
  pid(): number | null;
  /** Sends the signals before it first waits; resolves once it is dead. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** False once nobody has a process with that id, not even as a zombie. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Returns the time from the kill to the next acknowledged write, in ms. Throws if the process survives or is not replaced. */
export async function timeReturn(victim: Victim, { nextAfter }: Pick<Acknowledgements, "nextAfter">): Promise<number> {
  const before = victim.pid();
  if (before === null) throw new Error("what is to be killed does not run");
  const killed = victim.kill();
  const back = nextAfter(performance.now());
  const replaced = killed.then(() => {
    if (exists(before)) throw new Error(`process ${before} survived its kill`);
    return victim.start();
  });
  const [ms] = await Promise.all([back, replaced]);
  if (victim.pid() === null) throw new Error(`process ${before} was not replaced`);
  return ms;
}

/** Kills it so often; returns the time of each return, in ms. `draw` returns a random whole number below its argument. */
async function killOften(
  { load, acknowledgements }: LoadedStage,
  victim: Victim,
  times: number,
  draw: (below: number) => number,
): Promise<readonly number[]> {
  const returns: number[] = [];
  while (returns.length < times) {
    const reached = load.count() + BETWEEN;
    await until(() => load.count() >= reached);
    await sleep(draw(LONGEST_PAUSE_MS));
    returns.push(await timeReturn(victim, acknowledgements));
  }
  return returns;
}

/** Starts the service again until it runs, as a supervisor does: a start fails if its database does not answer in time. */
async function startAgain({ restart }: Service): Promise<void> {
  const end = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    try {
      return await restart();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

/** Kills the web process by SIGKILL. It is the main process too: its workers end when it is gone, and start with the next. */
export function killWeb(
  under: LoadedStage,
  times: number,
  draw: (below: number) => number,
): Promise<readonly number[]> {
  const { service } = under.stage.bridge.world;
  const victim = { pid: () => service.pid, kill: () => service.kill9(), start: () => startAgain(service) };
  return killOften(under, victim, times, draw);
}

/** Kills the postmaster and all its processes by SIGKILL. */
export function killPostgres(
  under: LoadedStage,
  times: number,
  draw: (below: number) => number,
): Promise<readonly number[]> {
  const { server } = under.stage;
  return killOften(under, { pid: server.pid, kill: server.killAll, start: server.start }, times, draw);
}
