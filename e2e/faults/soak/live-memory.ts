// Memory that a process of the service still uses after it has collected its garbage. Resident memory also has what waits to
// be collected: on a busy machine it goes up and down by more than a leak adds in hours.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Variables } from "../../support/service-process";

const COLLECTED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;
const BYTES_IN_MIB = 1_048_576;

export interface LiveMemory {
  /** What the service needs, so that its processes can be asked. */
  readonly variables: Variables;
  /** MiB that each process uses, in their order. Throws if one does not answer. */
  of(pids: readonly number[]): Promise<readonly number[]>;
  close(): void;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** Prepares the measurement, before the service starts. */
export function openLiveMemory(): LiveMemory {
  const folder = mkdtempSync(join(tmpdir(), "sluice-soak-memory-"));
  const preloaded = fileURLToPath(new URL("collect-garbage.mjs", import.meta.url));

  async function liveMiB(pid: number): Promise<number> {
    const file = join(folder, String(pid));
    rmSync(file, { force: true });
    process.kill(pid, "SIGUSR2");
    for (const end = performance.now() + COLLECTED_WITHIN_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
      const bytes = readIfThere(file);
      if (bytes !== null) return Number(bytes) / BYTES_IN_MIB;
    }
    throw new Error(`process ${pid} did not tell its memory`);
  }

  return {
    variables: { NODE_OPTIONS: `--import=${preloaded}`, SOAK_MEMORY_FOLDER: folder },
    of: (pids) => Promise.all(pids.map(liveMiB)),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
