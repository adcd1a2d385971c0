// `npm run model`: plays histories of the outside world against the domain, and in a deep run also against the running
// service, which must have been built. Prints what was played and what was violated.
import { parseArgs } from "node:util";
import { expectedNames, missing } from "./domain-driver/coverage";
import { playDeep } from "./domain-driver/deep";
import { play } from "./domain-driver/play";
import { regressions } from "./regressions";
import { playService } from "./service-driver/play";

const DEEP = { histories: 1_000_000, floor: 100, overHttp: 2_000 };
const SHORT = { histories: 20_000, floor: 1, overHttp: 0 };
const CLIENTS = 8;
/** Histories of each seed. */
const SIZE = 3_000;

const { values } = parseArgs({
  options: {
    deep: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    histories: { type: "string" },
    "over-http": { type: "string" },
    processes: { type: "string", default: "2" },
  },
});

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`);
}

const mode = values.deep ? DEEP : SHORT;
const wanted = values.histories === undefined ? mode.histories : Number(values.histories);
const firstSeed = Number(values.seed);
const seeds = Math.ceil(wanted / SIZE);
const startedAt = performance.now();

const replayed = regressions().map(({ fault, history }) => ({ fault, violations: play(history).violations }));
const broken = replayed.filter(({ violations }) => violations.length > 0);
for (const { fault, violations } of broken) print(`✗ regression: ${fault}`, ...violations.map((one) => `    ${one}`));

const batch = await playDeep({ firstSeed, seeds, size: SIZE, processes: Number(values.processes) });
for (const { seed, history, violations } of batch.failures) {
  print(`✗ seed ${seed}: ${JSON.stringify(history)}`, ...violations.map((one) => `    ${one}`));
}
const silent = missing(batch.counts, mode.floor);
const names = expectedNames();
print("", ...names.map((name) => `${name.padEnd(60)} ${batch.counts[name] ?? 0}`));
for (const name of silent) print(`✗ ${name} was played ${batch.counts[name] ?? 0} times, less than ${mode.floor}`);
const ofSort = (sort: string) => names.filter((name) => name.startsWith(`${sort} `)).length;
const overHttp = values["over-http"] === undefined ? mode.overHttp : Number(values["over-http"]);
const service =
  overHttp === 0
    ? { histories: 0, failures: [], faults: new Map<string, number>() }
    : await playService({ seed: firstSeed, histories: overHttp, clients: CLIENTS });
for (const { history, violations } of service.failures) {
  print(`✗ over HTTP: ${JSON.stringify(history)}`, ...violations.map((one) => `    ${one}`));
}
for (const [fault, times] of service.faults) print(`${`over HTTP, fault ${fault}`.padEnd(60)} ${times}`);
const violated = batch.failures.length + broken.length + service.failures.length;
print(
  "",
  `seeds ${firstSeed} to ${firstSeed + seeds - 1}, histories ${batch.histories}, over HTTP ${service.histories}, regressions ${replayed.length}`,
  `edges ${ofSort("edge")}, reports in states ${ofSort("report")}, faults ${ofSort("fault")}; below the floor: ${silent.length}`,
  `violations ${violated} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`,
);
process.exitCode = violated + silent.length === 0 ? 0 : 1;
