import { fork } from "node:child_process";
import { PROJECT_ROOT } from "@/server/build/build";
import { bundleFile } from "@/server/build/bundle";
import { type SupervisedGroup, superviseGroup } from "./supervise";

const ENTRY = bundleFile(PROJECT_ROOT, "worker");

/** Starts `count` worker processes with this process's variables, from the bundle: the build must be up to date. */
export function startWorkerProcesses(count: number): SupervisedGroup {
  return superviseGroup("worker", count, () => fork(ENTRY, [], { stdio: ["ignore", "inherit", "inherit", "ipc"] }));
}
