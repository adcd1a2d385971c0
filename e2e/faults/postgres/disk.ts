// A small disk in memory, which a spec can fill.
import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

export interface Disk {
  /** Takes all the space that is left. */
  fill(): void;
  /** Gives that space back. */
  empty(): void;
  unmount(): void;
}

const SIZE = "600m";
const CHUNKS = [1024 * 1024, 4096];

/** Mounts a disk of 600 MiB at the folder, which it creates. Returns null where only root may, or without tmpfs. */
export function mountDisk(folder: string): Disk | null {
  mkdirSync(folder, { mode: 0o711 });
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=0711`, "tmpfs", folder]).status === 0;
  chmodSync(folder, 0o711);
  if (!mounted) return null;
  const ballast = join(folder, "ballast");
  return {
    fill() {
      const file = openSync(ballast, "w");
      for (const size of CHUNKS) {
        const chunk = Buffer.alloc(size);
        try {
          for (;;) if (writeSync(file, chunk) < size) break;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
      }
      closeSync(file);
    },
    empty: () => rmSync(ballast, { force: true }),
    unmount() {
      spawnSync("umount", ["-l", folder]);
    },
  };
}
