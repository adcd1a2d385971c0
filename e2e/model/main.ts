// `npm run model`: plays histories of the outside world against the domain, and in a deep run also against the running
// service, which must have been built. Prints what was played and every violation.
import { parseArgs } from "node:util";
import * as domainCoverage from "./domain-driver/coverage";
import { playDeep } from "./domain-driver/deep";
import { play } from "./domain-driver/play";
import { regressions } from "./regressions";
import * as serviceCoverage from "./service-driver/coverage";
import { playService } from "./service-driver/play";
import { CALLBACK_FAULTS } from "./world/world";

const DEEP = { histories: 1_000_000, floor: 100, overHttp: 2_000, floorOverHttp: 10 };
const SHORT = { histories: 20_000, floor: 1, overHttp: 0, floorOverHttp: 1 };
const CLIENTS = 8;
/** Histories of each seed. */
const SIZE = 3_000;

const { values } = parseArgs({
  options: {
    deep: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    histories: { type: "string" },
    "over-http": { type: "string" },
    "shrink-minutes": { type: "string", default: "5" },
    processes: { type: "string", default: "2" },
  },
});

const mode = values.deep ? DEEP : SHORT;
const seed = Number(values.seed);
const seeds = Math.ceil(Number(values.histories ?? mode.histories) / SIZE);
const overHttp = Number(values["over-http"] ?? mode.overHttp);
const startedAt = performance.now();

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

function printFailure(title: string, violations: readonly string[]): void {
  print(`✗ ${title}`, ...violations.map((one) => `    ${one}`));
}

/** Prints a table of counts; each count below the floor is a fault of the run. Returns their number. */
function printCoverage(
  { expectedNames, missing }: Pick<typeof domainCoverage, "expectedNames" | "missing">,
  counts: Readonly<Record<string, number>>,
  floor: number,
): number {
  print("", ...expectedNames().map((name) => `${name.padEnd(60)} ${counts[name] ?? 0}`));
  const rare = missing(counts, floor);
  for (const name of rare) print(`✗ ${name} was played ${counts[name] ?? 0} times, less than ${floor}`);
  return rare.length;
}

/** Returns the number of violations and of names below the floor. */
async function playDomain(): Promise<number> {
  if (seeds === 0) return 0;
  const broken = regressions().flatMap(({ fault, history }) => {
    const { violations } = play(history);
    if (violations.length > 0) printFailure(`regression: ${fault}`, violations);
    return violations.length > 0 ? [fault] : [];
  });
  const options = { firstSeed: seed, seeds, size: SIZE, processes: Number(values.processes) };
  const { histories, failures, counts } = await playDeep(options);
  for (const failure of failures) {
    printFailure(`seed ${failure.seed}: ${JSON.stringify(failure.history)}`, failure.violations);
  }
  const rare = printCoverage(domainCoverage, counts, mode.floor);
  print(`before the domain, so played over HTTP only: ${CALLBACK_FAULTS.join(", ")}`);
  print(
    "",
    `domain: seeds ${seed} to ${seed + seeds - 1}, histories ${histories}, regressions ${regressions().length}`,
  );
  print(`domain: violations ${failures.length + broken.length}, names below the floor ${rare}`);
  return failures.length + broken.length + rare;
}

async function playOverHttp(): Promise<number> {
  if (overHttp === 0) return 0;
  const first = regressions().map(({ history }) => history);
  const result = await playService({
    seed,
    histories: overHttp,
    clients: CLIENTS,
    first,
    shrinkForMs: Number(values["shrink-minutes"]) * 60_000,
    onViolation: (history, violations) => printFailure(`over HTTP: ${JSON.stringify(history)}`, violations),
  });
  for (const { history, found, violations } of result.failures) {
    if (found !== "as drawn") printFailure(`over HTTP, ${found}: ${JSON.stringify(history)}`, violations);
  }
  if (result.strayCalls.length > 0) printFailure("over HTTP: the bridge could not answer", result.strayCalls);
  const rare = printCoverage(serviceCoverage, result.counts, mode.floorOverHttp);
  print("", `over HTTP: seed ${seed}, histories ${overHttp}, regressions ${first.length}, clients ${CLIENTS}`);
  const violations = result.failures.length + result.strayCalls.length;
  print(`over HTTP: violations ${violations}, names below the floor ${rare}`);
  return violations + rare;
}

const faults = (await playDomain()) + (await playOverHttp());
print(`${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
process.exitCode = faults === 0 ? 0 : 1;
