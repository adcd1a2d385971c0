// Processes of the service that run out of descriptors, of memory or of processor time.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf } from "../../support/postgres/children";
import { type DatabaseStage, type PlayedFault, playUnderLoad } from "../postgres/play";

const FOR_MS = 8_000;
const PAUSE_MS = 50;
/** How many descriptors each process may open beyond those that it has. */
const ROOM = 10;
const STRANGERS = 300;
const BUSY_FOR_EACH_CORE = 4;

/** Two web processes, so that the main process only supervises: whoever runs out is started again. */
export const SUPERVISED = { WEB_CONCURRENCY: "2" };
const ON_TWO = { brokenConnections: true, keysInFlight: true };

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    // It has ended since.
    return 0;
  }
}

/** Sets a soft limit of a process; the hard one stays, so that it can be lifted to that again. */
function limit(pid: number, resource: "nofile" | "data", soft: number): void {
  const { error, status } = spawnSync("prlimit", ["--pid", String(pid), `--${resource}=${soft}:`]);
  if (error) throw new Error("needs prlimit");
  if (status !== 0 && existsSync(`/proc/${pid}`))
    throw new Error(`the ${resource} of process ${pid} was not limited to ${soft}`);
}

function hardLimitOf(pid: number): number {
  const [, hard] = /^Max open files +\d+ +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8")) ?? [];
  return Number(hard);
}

/** Strangers connect until the web processes have no descriptors left, neither for clients nor for the database. */
export function playDescriptors({ bridge }: DatabaseStage): Promise<PlayedFault> {
  const { service } = bridge.world;
  const shortage = async () => {
    const limits = childrenOf(service.pid).map((pid) => ({
      pid,
      most: descriptorsOf(pid) + ROOM,
      hard: hardLimitOf(pid),
    }));
    for (const { pid, most } of limits) limit(pid, "nofile", most);
    const strangers: Socket[] = [];
    const reached = new Set<number>();
    for (let n = 0; n < STRANGERS; n += 1) strangers.push(connect(service.port, "127.0.0.1").on("error", () => {}));
    for (const end = Date.now() + FOR_MS; Date.now() < end; await sleep(PAUSE_MS))
      for (const { pid, most } of limits) if (descriptorsOf(pid) >= most) reached.add(pid);
    for (const stranger of strangers) stranger.destroy();
    for (const { pid, hard } of limits) limit(pid, "nofile", hard);
    if (reached.size === 0) throw new Error("no process ran out of descriptors");
    return `${reached.size} processes without descriptors`;
  };
  return playUnderLoad({ bridge }, shortage, ON_TWO);
}

/** The memory that a process may write to, in bytes. */
function dataOf(pid: number): number {
  const [, kib] = /^VmData:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) * 1_024;
}

/** Processes get no more memory and end, and are started again. */
export function playMemory({ bridge }: DatabaseStage): Promise<PlayedFault> {
  const { service } = bridge.world;
  const deaths = () => service.logs.split("died; it will restart").length - 1;
  const shortage = async () => {
    for (const pid of childrenOf(service.pid)) limit(pid, "data", dataOf(pid));
    await sleep(FOR_MS);
    if (deaths() === 0) throw new Error("no process ran out of memory");
    return `${deaths()} processes ended for want of memory`;
  };
  return playUnderLoad({ bridge }, shortage, ON_TWO);
}

/** Other programs keep every core busy. */
export function playBusyCores({ bridge }: DatabaseStage): Promise<PlayedFault> {
  return playUnderLoad({ bridge }, async () => {
    const count = BUSY_FOR_EACH_CORE * availableParallelism();
    const busy = Array.from({ length: count }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
    await sleep(FOR_MS);
    for (const one of busy) one.kill("SIGKILL");
    return `${count} busy programs on ${availableParallelism()} cores`;
  });
}
