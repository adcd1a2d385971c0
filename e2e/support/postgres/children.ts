// The processes that a process has started, by /proc: Linux only.
import { readdirSync, readFileSync } from "node:fs";

/** Returns the ids of the process's children. */
export function childrenOf(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return [
          Number(name),
          Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ")[1]),
        ] as const;
      } catch {
        return [Number(name), 0] as const;
      }
    });
  return parents.filter(([, parent]) => parent === pid).map(([child]) => child);
}
