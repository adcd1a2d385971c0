// `npm run faults`: cuts every message of every scenario, and prints what came of it. Fails if a write had other effects than
// an undisturbed one.
import { ACTS } from "./cutter";
import { type Played, play } from "./play";
import { restScenarios } from "./rest-scenarios";
import { type Lane, openStage } from "./stage";

/** Trials at the same time. */
const LANES = 2;

interface Task {
  readonly id: string;
  readonly act: (typeof ACTS)[number];
}

function show({ id, act }: Task, { fired, problems }: Played, startedAt: number): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  process.stdout.write(`${id}, ${act}: ${fired.length} points, ${problems.length} problems, ${seconds} s\n`);
  for (const problem of problems) process.stdout.write(`  ✗ ${problem}\n`);
}

const wanted = process.argv.slice(2);
const stage = await openStage();
const played: Played[] = [];
try {
  const lanes = await Promise.all(Array.from({ length: LANES }, () => stage.openLane()));
  const ids = Object.keys(restScenarios(lanes[0] as Lane)).filter((id) => wanted.length === 0 || wanted.includes(id));
  const tasks: Task[] = ids.flatMap((id) => ACTS.map((act) => ({ id, act })));
  await Promise.all(
    lanes.map(async (lane) => {
      const scenarios = restScenarios(lane);
      for (let task = tasks.shift(); task; task = tasks.shift()) {
        const startedAt = performance.now();
        const scenario = scenarios[task.id];
        if (!scenario) throw new Error(`there is no scenario ${task.id}`);
        const result = await play(lane, scenario, task.act);
        played.push(result);
        show(task, result, startedAt);
      }
    }),
  );
} finally {
  await stage.close();
}
const count = (of: (one: Played) => number) => played.reduce((sum, one) => sum + of(one), 0);
const [points, problems] = [count(({ fired }) => fired.length), count((one) => one.problems.length)];
process.stdout.write(`faults: ${points} points, ${problems} problems\n`);
process.exit(problems === 0 && points > 0 ? 0 : 1);
