import cluster from "node:cluster";
import { PROJECT_ROOT } from "@/server/build/build";
import { bundleFile } from "@/server/build/bundle";
import { answerMetrics } from "@/server/platform/metrics/channel";
import { rescueConnections } from "./handed-connections";
import { type SupervisedGroup, superviseGroup } from "./supervise";

const ENTRY = bundleFile(PROJECT_ROOT, "web-member");

export interface WebProcesses extends SupervisedGroup {
  /** Resolves to the port once all processes listen. Rejects if one exits before; its log says why. */
  readonly listening: Promise<number>;
}

/**
 * Starts `count` web processes with this process's variables; this process distributes the connections, and answers their
 * questions for the metrics of the whole service by `metrics`.
 */
export function startWebProcesses(count: number, metrics: () => Promise<string>): WebProcesses {
  cluster.setupPrimary({ exec: ENTRY, args: [] });
  const first: Promise<number>[] = [];
  const group = superviseGroup("web process", count, (place) => {
    const worker = cluster.fork();
    rescueConnections(worker);
    answerMetrics(worker.process, metrics);
    first[place] ??= new Promise((resolve, reject) => {
      worker.once("listening", ({ port }) => resolve(port));
      worker.once("exit", () => reject(new Error("a web process ended before it listened")));
    });
    return worker.process;
  });
  return { ...group, listening: Promise.all(first).then(([port = 0]) => port) };
}
