// `npm run zoo`: plants every bug of the zoo in a scratch copy, one at a time, and prints what caught it. `--half 1` or `--half 2`
// plants every other bug, other words those whose names have one of them.
import { parseArgs } from "node:util";
import { KINDS } from "../world/history";
import { type Caught, tryToCatch } from "./catch";
import { PATCHES } from "./patches";
import { makeScratch } from "./scratch";

const { values, positionals } = parseArgs({ options: { half: { type: "string" } }, allowPositionals: true });
if (values.half !== undefined && values.half !== "1" && values.half !== "2")
  throw new TypeError("--half must be 1 or 2");
const isOfHalf = (place: number) => values.half === undefined || place % 2 === Number(values.half) - 1;
const patches = PATCHES.filter(
  ({ name }, place) =>
    isOfHalf(place) && (positionals.length === 0 || positionals.some((words) => name.includes(words))),
);

function print(name: string, { by, seconds, isCaught }: Caught): void {
  const mark = isCaught ? "✓" : "✗";
  process.stdout.write(`${mark} ${name.padEnd(58)} | ${by.slice(0, 180).padEnd(180)} | ${seconds.toFixed(1)}\n`);
}

const scratch = makeScratch();
process.once("SIGINT", () => {
  scratch.remove();
  process.exit(130);
});
let failed = 0;
try {
  // A violation that the model finds in sound code would make every planted bug look caught.
  for (const model of KINDS) {
    const sound = await tryToCatch(scratch, { model }, null);
    if (sound.isCaught) failed += 1;
    print(`no bug (${model})`, { ...sound, isCaught: !sound.isCaught });
  }
  for (const patch of patches) {
    const caught = await tryToCatch(scratch, patch.caughtBy, patch).catch(
      (error: unknown): Caught => ({ isCaught: false, by: String(error), seconds: 0 }),
    );
    if (!caught.isCaught) failed += 1;
    print(patch.name, caught);
  }
} finally {
  scratch.remove();
}
process.stdout.write(`\n${patches.length} planted bugs, ${failed} not caught\n`);
process.exitCode = failed === 0 ? 0 : 1;
