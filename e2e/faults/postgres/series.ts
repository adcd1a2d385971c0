// Plays faults one after the other, and prints what came of each.
import type { PlayedFault } from "./play";

export type Plays = Readonly<Record<string, () => Promise<PlayedFault>>>;

/** What a machine lacks is no failure: `needs strace`, `needs root`. */
async function orSkipped(play: () => Promise<PlayedFault>): Promise<PlayedFault | string> {
  try {
    return await play();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("needs ")) return error.message;
    throw error;
  }
}

function show(name: string, { proof, acknowledged, unavailable, broken, recoveryMs, problems }: PlayedFault): void {
  const met = `${acknowledged} writes, ${unavailable} answers 503, ${broken} broken connections, back after ${recoveryMs} ms`;
  process.stdout.write(`${name}: ${proof}; ${met}, ${problems.length} problems\n`);
  for (const problem of problems) process.stdout.write(`  ✗ ${problem}\n`);
}

/** Plays those whose names are `wanted`, or all. Ends with a line that begins with `title`; returns true without problems. */
export async function playSeries(title: string, plays: Plays, wanted: readonly string[]): Promise<boolean> {
  const played: PlayedFault[] = [];
  for (const [name, play] of Object.entries(plays)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const result = await orSkipped(play);
    if (typeof result === "string") {
      process.stdout.write(`${name}: skipped: ${result}\n`);
      continue;
    }
    played.push(result);
    show(name, result);
  }
  const sum = (of: (one: PlayedFault) => number) => played.reduce((all, one) => all + of(one), 0);
  const problems = sum((one) => one.problems.length);
  const slowest = Math.max(0, ...played.map(({ recoveryMs }) => recoveryMs));
  process.stdout.write(
    `${title}: ${played.length} faults under ${sum(({ acknowledged }) => acknowledged)} writes, the slowest return took ${slowest} ms, ${problems} problems\n`,
  );
  return problems === 0 && played.length > 0;
}
