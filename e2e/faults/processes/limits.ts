// Processes of the service that run out of descriptors, of memory or of processor time.
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
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
/** Less heap than a worker or a web process needs under load, in MiB. */
export const LITTLE_MEMORY = { ...SUPERVISED, NODE_OPTIONS: "--max-old-space-size=72" };

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    // It has ended since.
    return 0;
  }
}

/** The soft limit; the hard one stays, so that it can be lifted again. */
function limitDescriptors(pid: number, limit: number | "max"): void {
  const words = limit === "max" ? ["--nofile=65536:"] : [`--nofile=${limit}:`];
  const { error, status } = spawnSync("prlimit", ["--pid", String(pid), ...words]);
  if (error) throw new Error("needs prlimit");
  if (status !== 0) throw new Error(`the limit of process ${pid} was not set to ${limit}`);
}

/** Strangers connect until the web processes have no descriptors left, neither for clients nor for the database. */
export function playDescriptors({ bridge }: DatabaseStage): Promise<PlayedFault> {
  const { service } = bridge.world;
  const shortage = async () => {
    const limits = childrenOf(service.pid).map((pid) => ({ pid, limit: descriptorsOf(pid) + ROOM }));
    for (const { pid, limit } of limits) limitDescriptors(pid, limit);
    const strangers: Socket[] = [];
    const reached = new Set<number>();
    for (let n = 0; n < STRANGERS; n += 1) strangers.push(connect(service.port, "127.0.0.1").on("error", () => {}));
    for (const end = Date.now() + FOR_MS; Date.now() < end; await sleep(PAUSE_MS))
      for (const { pid, limit } of limits) if (descriptorsOf(pid) >= limit) reached.add(pid);
    for (const stranger of strangers) stranger.destroy();
    for (const { pid } of limits) limitDescriptors(pid, "max");
    if (reached.size === 0) throw new Error("no process ran out of descriptors");
    return `${reached.size} processes without descriptors`;
  };
  return playUnderLoad({ bridge }, shortage, { brokenConnections: true });
}

/** Processes end for want of memory, and are started again. */
export function playMemory({ bridge }: DatabaseStage): Promise<PlayedFault> {
  const { service } = bridge.world;
  const deaths = () => service.logs.split("died; it will restart").length - 1;
  const shortage = async () => {
    await sleep(FOR_MS);
    if (deaths() === 0) throw new Error("no process ran out of memory");
    return `${deaths()} processes ended for want of memory`;
  };
  return playUnderLoad({ bridge }, shortage, { brokenConnections: true });
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
