// `npm run faults:wire -- [group [scenario… act…]] [--seed 1]`: cuts every message of every scenario, and prints what came of
// it. The act `double` cuts two attempts in a row, by chance. Fails if anything came to another outcome than without a cut.
import { parseArgs } from "node:util";
import { randomBelow } from "../../support/random";
import { ACTS } from "./cutter";
import { GROUPS } from "./groups";
import { expectedOf, type Played, play, playDouble } from "./play";
import { openStage } from "./stage";

const ALL_ACTS = [...ACTS, "double"] as const;

function show(id: string, { act, fired, problems }: Played, startedAt: number): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  process.stdout.write(`${id}, ${act}: ${fired.length} points, ${problems.length} problems, ${seconds} s\n`);
  for (const problem of problems) process.stdout.write(`  ✗ ${problem}\n`);
}

/** True if the words name this one, or none of its kind. */
function isWanted(one: string, wanted: readonly string[], all: readonly string[]): boolean {
  return wanted.includes(one) || !all.some((other) => wanted.includes(other));
}

function isFailure(expected: unknown): expected is { readonly failure: string } {
  return typeof expected === "object" && expected !== null && "failure" in expected;
}

/** Plays the wanted scenarios of a group on a stage of its own, one after the other. */
async function playGroup({ hasWorker, isRepeatable, scenariosOf }: (typeof GROUPS)[number], wanted: readonly string[]) {
  const draw = randomBelow(seed);
  const stage = await openStage({ hasWorker });
  const played: Played[] = [];
  try {
    const lane = await stage.openLane();
    const scenarios = scenariosOf(lane);
    for (const [id, scenario] of Object.entries(scenarios)) {
      if (!isWanted(id, wanted, Object.keys(scenarios))) continue;
      const expected = await expectedOf(lane, scenario).catch((error: unknown) => ({ failure: String(error) }));
      process.stdout.write(`${id} comes to ${JSON.stringify(expected)}\n`);
      if (isFailure(expected)) {
        const problem = `${id} cannot be played: ${expected.failure}`;
        process.stdout.write(`  ✗ ${problem}\n`);
        played.push({ scenario: id, act: "kill", fired: [], problems: [problem] });
        continue;
      }
      for (const act of ALL_ACTS) {
        if (!isWanted(act, wanted, ALL_ACTS) || (act === "double" && !isRepeatable)) continue;
        const startedAt = performance.now();
        const result =
          act === "double"
            ? await playDouble(lane, scenario, expected, draw)
            : await play(lane, scenario, expected, act);
        played.push(result);
        show(id, result, startedAt);
      }
    }
    return played;
  } finally {
    await stage.close();
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" } },
});
const seed = Number(values.seed);
const [group, ...wanted] = positionals;
const groups = GROUPS.filter(({ name }) => group === undefined || name === group);
const played = (await Promise.all(groups.map((one) => playGroup(one, wanted)))).flat();
const count = (of: (one: Played) => number) => played.reduce((sum, one) => sum + of(one), 0);
const doubles = count(({ act, fired }) => (act === "double" ? fired.length : 0));
const points = count(({ fired }) => fired.length) - doubles;
const problems = count((one) => one.problems.length);
process.stdout.write(`wire: ${points} points, ${doubles} double faults (seed ${seed}), ${problems} problems\n`);
process.exit(problems === 0 && points + doubles > 0 ? 0 : 1);
