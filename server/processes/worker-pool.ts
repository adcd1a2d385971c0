import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Supervised, supervise } from "./supervise";

const ENTRY = fileURLToPath(new URL("../worker/main.ts", import.meta.url));

/** Starts `count` worker processes with this process's variables. */
export function startWorkerProcesses(count: number): Supervised {
  const workers = Array.from({ length: count }, () =>
    supervise("worker", () => fork(ENTRY, [], { stdio: ["ignore", "inherit", "inherit", "ipc"] })),
  );
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
