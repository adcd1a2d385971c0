// CPU time, memory and parents of processes, from /proc. Null without /proc.
import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks per second in /proc: 100 on every Linux that Node supports. */
const TICKS = 100;

function statOf(pid: number): readonly string[] | null {
  try {
    // The name, in parentheses, can contain blanks; the parent's id is the second field after it.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? null;
  } catch {
    return null;
  }
}

/** User and system CPU seconds of a process so far. */
export function cpuSecondsOf(pid: number): number | null {
  const stat = statOf(pid);
  return stat && (Number(stat[11]) + Number(stat[12])) / TICKS;
}

export function parentOf(pid: number): number | null {
  const stat = statOf(pid);
  return stat && Number(stat[1]);
}

/** The live children. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((other) => parentOf(other) === pid);
  } catch {
    return [];
  }
}

/** CPU seconds of a process, of its live children, and of those that it has waited for. */
export function cpuSecondsWithChildren(pid: number): number | null {
  const stat = statOf(pid);
  if (!stat) return null;
  const ended = (Number(stat[13]) + Number(stat[14])) / TICKS;
  const living = childrenOf(pid).map((child) => cpuSecondsOf(child) ?? 0);
  return living.reduce((sum, seconds) => sum + seconds, ended + (cpuSecondsOf(pid) ?? 0));
}

/** The command line of a process. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Current and peak resident memory, in MiB. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const mebibytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
    return { now: mebibytes("VmRSS"), peak: mebibytes("VmHWM") };
  } catch {
    return null;
  }
}
