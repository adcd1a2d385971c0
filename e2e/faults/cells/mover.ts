// Moves merchants between the cells of a running service by a process of the command line, which may be killed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROJECT_ROOT, serviceVariables } from "../../support/service-process";
import type { CellParty, CellsWorld } from "./world";

export interface Moved {
  readonly phase: string;
  readonly duration_ms: number;
  readonly paused_ms: number;
}

/** The first line that a move says. */
const BEGINS = "copying";
/** The error of a second command if the first had finished before it was killed. */
const IS_THERE = "is the cell that the merchant is in";

/**
 * Runs `merchants move`, and kills it so many ms after it has begun if that is a number. Returns its document, or null if it was
 * killed before it had one, or if the merchant is there already. Throws what it printed if it fails.
 */
export async function runMover(
  { operated }: CellsWorld,
  { merchant }: CellParty,
  to: string,
  killAfterMs: number | null = null,
): Promise<Moved | null> {
  const words = ["merchants", "move", "--merchant", merchant.id, "--to", to, "--experimental"];
  const child = spawn(process.execPath, ["--import", "tsx", join(PROJECT_ROOT, "server/cli/main.ts"), ...words], {
    cwd: PROJECT_ROOT,
    env: serviceVariables({ DATA_DIR: operated.dataDir, ...operated.database }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [printed, said] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const hasBegun = new Promise<void>((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(BEGINS)) resolve();
    });
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  if (killAfterMs !== null) {
    await Promise.race([hasBegun, ended]);
    await Promise.race([sleep(killAfterMs), ended]);
    child.kill("SIGKILL");
  }
  await ended;
  if (printed !== "") return JSON.parse(printed) as Moved;
  if (child.signalCode === "SIGKILL" || said.includes(IS_THERE)) return null;
  throw new Error(`the move failed: ${said}`);
}
