// Owns the workers beside the service: each a process of its own, kept alive, ended with the service.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Supervised, supervise } from "./supervised-process";

const ENTRY = fileURLToPath(new URL("./worker/main.ts", import.meta.url));

/** Starts so many workers with this process's variables. */
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
