// `npm test`: every check of the project in one run, streamed, counted, and summed up in the last line.
import { closeReports, forwardSignals, npmRun, runPlaywright, runVitest } from "./support/runs";
import { sum, summaryLine, type Tally, tallyStep } from "./support/tally";

/** The build runs first: it generates the types of routes, and the specs run on it. It counts only if it fails. */
async function runAll(): Promise<Tally> {
  const build = await npmRun("build");
  const tallies = [
    ...(build === 0 ? [] : [tallyStep(build)]),
    tallyStep(await npmRun("typecheck")),
    tallyStep(await npmRun("lint")),
    await runVitest(),
    ...(build === 0 ? [await runPlaywright()] : []),
  ];
  return sum(tallies);
}

forwardSignals();
const total = await runAll();
closeReports(total);
process.stdout.write(`\n${summaryLine(total)}\n`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
