// What the measured checks say, and what they must not.
import { median } from "../../support/statistics";
import type { Block, FirstGuesses, Kind, Warm } from "./measure";

/** The documented goals: CPU of a check in µs, and how far the times of two refusals may be apart. */
const CPU_MICROSECONDS = 50;
const APART = 0.05;

const cpuOf = ({ blocks }: Warm, kind: Kind) => median(blocks.map((block) => block[kind].cpu));

/**
 * Unknown key to wrong secret: the middle of the ratios of neighbors in time, which drift together. A stranger sees the time;
 * the CPU of a block also has what other work of the process took, such as collecting garbage, so it is only shown.
 */
const ratioOf = ({ blocks }: Warm, measure: keyof Block[Kind]) =>
  median(blocks.map(({ unknown, wrong }) => unknown[measure] / wrong[measure]));

/** Returns what is wrong: results, and figures beyond the goals. */
export function judgeKeyCheck(warm: Warm, first: FirstGuesses): string[] {
  const problems: string[] = [];
  if (warm.mistakes + first.mistakes > 0) problems.push(`${warm.mistakes + first.mistakes} calls had a wrong result`);
  for (const kind of ["right", "wrong", "unknown"] as const) {
    const cpu = cpuOf(warm, kind);
    if (!(cpu <= CPU_MICROSECONDS)) problems.push(`a check (${kind}) takes ${cpu.toFixed(1)} µs of CPU`);
  }
  const ratio = ratioOf(warm, "wall");
  if (!(Math.abs(ratio - 1) <= APART))
    problems.push(`an unknown key takes ${ratio.toFixed(3)} of the time of a wrong secret`);
  return problems;
}

/** The line of figures. */
export function lineOf(warm: Warm, first: FirstGuesses): string {
  const cpu = (["right", "wrong", "unknown"] as const).map((kind) => `${kind} ${cpuOf(warm, kind).toFixed(1)}`);
  const ratios = (["cpu", "wall"] as const).map((measure) => `${ratioOf(warm, measure).toFixed(3)} (${measure})`);
  return [
    `key check: ${warm.calls} calls of each kind`,
    `CPU in µs: ${cpu.join(", ")}`,
    `unknown key to wrong secret: ${ratios.join(", ")}`,
    `first guesses in µs: wrong ${median(first.wrong).toFixed(0)}, unknown ${median(first.unknown).toFixed(0)}`,
    `${warm.mistakes + first.mistakes} wrong results`,
  ].join("; ");
}
