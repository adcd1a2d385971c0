import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type SupervisedGroup, superviseGroup } from "./supervise";

const ENTRY = fileURLToPath(new URL("../worker/main.ts", import.meta.url));

/** Starts `count` worker processes with this process's variables. */
export function startWorkerProcesses(count: number): SupervisedGroup {
  return superviseGroup("worker", count, () => fork(ENTRY, [], { stdio: ["ignore", "inherit", "inherit", "ipc"] }));
}
