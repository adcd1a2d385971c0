import cluster from "node:cluster";
import { fileURLToPath } from "node:url";
import { rescueConnections } from "./handed-connections";
import { type Supervised, supervise } from "./supervise";

const ENTRY = fileURLToPath(new URL("./web-cluster-member.ts", import.meta.url));

export interface WebProcesses extends Supervised {
  /** Resolves to the port once all processes listen. Rejects if one exits before; its log says why. */
  readonly listening: Promise<number>;
}

/** Starts `count` web processes with this process's variables; this process distributes the connections. */
export function startWebProcesses(count: number): WebProcesses {
  cluster.setupPrimary({ exec: ENTRY, args: [] });
  const first: Promise<number>[] = [];
  const processes = Array.from({ length: count }, (_, place) =>
    supervise("web process", () => {
      const worker = cluster.fork();
      rescueConnections(worker);
      first[place] ??= new Promise((resolve, reject) => {
        worker.once("listening", ({ port }) => resolve(port));
        worker.once("exit", () => reject(new Error("a web process ended before it listened")));
      });
      return worker.process;
    }),
  );
  return {
    listening: Promise.all(first).then(([port = 0]) => port),
    async stop() {
      await Promise.all(processes.map((process) => process.stop()));
    },
  };
}
