// Identifies a process beyond its pid, which the system reuses after a crash or a restart.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const START_TIME_FIELD = 19;

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/**
 * Returns the start time of a process, which distinguishes it from a later one with the same pid; null if none runs.
 */
export function processIdentity(pid: number): string | null {
  if (process.platform === "linux") {
    // Field 2 is the program's name and may contain spaces and parentheses, so start after the last one.
    const stat = readText(`/proc/${pid}/stat`);
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (!fields || fields[0] === "Z" || fields[0] === "X") return null;
    return `${readText("/proc/sys/kernel/random/boot_id")?.trim() ?? ""}:${fields[START_TIME_FIELD] ?? ""}`;
  }
  const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
  return stdout?.trim() ? stdout.trim() : null;
}

/** Returns the command line of a process, separated by spaces; null if it does not run or is not readable. */
export function processCommand(pid: number): string | null {
  if (process.platform === "linux") return readText(`/proc/${pid}/cmdline`)?.replaceAll("\0", " ") ?? null;
  const { stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return stdout?.trim() ? stdout.trim() : null;
}
