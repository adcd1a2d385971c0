// `npm run test:deep -- <part>`: plays a part's full product of setups, and records the result in docs/reliability.md.
// `npm run faults` plays the specs of faults; with `--deep [--minutes 60]` all parts, the one played longest ago first.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { onNode24 } from "./deployment/node";
import { ACTS } from "./faults/wire/cutter";
import { startDebianServer } from "./support/debian-postgres";
import { type DeepRun, oldestFirst, withRun } from "./support/deep-table";
import { closeReports, forwardSignals, npmRun, runPlaywright, runVitest } from "./support/runs";
import { PROJECT_ROOT } from "./support/service-process";
import { sum, summaryLine, type Tally, tallyStep } from "./support/tally";
import { CELL_NAMES } from "./support/two-cells";

const DEEP = { TEST_TIER: "deep" };

interface Result {
  readonly tally: Tally;
  /** What the table shows. */
  readonly text: string;
}

async function counted(run: Promise<Tally>): Promise<Result> {
  const tally = await run;
  return { tally, text: summaryLine(tally) };
}

/** Runs specs on a new build. */
async function specs(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Tally> {
  const build = tallyStep(await npmRun("build"));
  return build.failed > 0 ? build : runPlaywright(words, { ...DEEP, ...env });
}

/** The specs that show that the service works on another version of Node. */
const SMOKE = [
  "createPaymentIntent",
  "createPayoutIntent",
  "createTopupIntent",
  "idempotency",
  "webhookMessages",
  "hosts",
];

/** Runs the unit tests and the smoke specs on Node 24. */
async function smokeOnNode24(): Promise<Tally> {
  const node = onNode24();
  return sum([await runVitest(["--project=unit*"], node), await specs(["--project=rest", ...SMOKE], node)]);
}

/** Runs every REST spec for merchants of each cell, on two web processes and workers, and the specs of cells. */
async function playCells(): Promise<Tally> {
  const tallies: Tally[] = [];
  for (const cell of CELL_NAMES)
    tallies.push(await specs(["--project=rest", "rest/"], { SPEC_CELL: cell, SPEC_PROCESSES: "2" }));
  tallies.push(
    await specs(["--project=rest", "faults/cells"]),
    await specs(["--project=dashboard", "dashboard/cells"]),
  );
  return sum(tallies);
}

/** Runs the tests on Postgres and every REST spec on the oldest version that is supported. */
async function playPostgres15(): Promise<Tally> {
  const server = await startDebianServer(15);
  try {
    return sum([
      await runVitest(["--project=db"], { TEST_DATABASE_URL: server.url }),
      await specs(["--project=rest", "rest/"], { SPEC_DATABASE_URL: server.url }),
    ]);
  } finally {
    await server.close();
  }
}

/** Runs a script that prints its own counts; the table shows the lines that match. */
async function script(name: string, words: readonly string[], shown: RegExp): Promise<Result> {
  const lines: string[] = [];
  const code = await npmRun(name, words, DEEP, (line) => shown.test(line) && lines.push(line.trim()));
  return { tally: tallyStep(code), text: lines.join("; ") };
}

/** The same on a new build. */
async function scriptOnBuild(name: string, words: readonly string[], shown: RegExp): Promise<Result> {
  const build = tallyStep(await npmRun("build"));
  const played = await script(name, words, shown);
  return { ...played, tally: sum([build, played.tally]) };
}

/** The specs that check pages and dialogs against WCAG. */
const WITH_ACCESSIBILITY = ["accessibility", "one-time-codes", "payer-page", "reconciliation", "sign-in"];

/** Every run plays others; the result shows the seed. */
const newSeed = () => String(Math.floor(Date.now() / 1_000));

interface Part {
  /** What the result must reach. */
  readonly goal: string;
  /** The number in the result that adds up over all runs: each plays others. A second group says of what. */
  readonly adds?: RegExp;
  play(): Promise<Result>;
}

const DOUBLE_FAULTS = /(\d+) double faults/;

/** Every message of a group of scenarios, cut; or two attempts in a row. */
const wire = (...words: readonly string[]) => scriptOnBuild("faults:wire", words, /^wire: /);

async function playModel(): Promise<Result> {
  const played = await scriptOnBuild("model", ["--deep"], /^(domain|over HTTP): /);
  const adapters = await runVitest(["--project=db", "e2e/model/adapter-driver"], DEEP);
  return { tally: sum([played.tally, adapters]), text: `${played.text}; adapters: ${summaryLine(adapters)}` };
}

/** Histories of moves, the walks that kill a move at each statement, and commands that stand still. */
const MOVES = ["histories", "run", "stopped-movers"].map((name) => `server/services/moves/${name}.db.test.ts`);

const PARTS: Readonly<Record<string, Part>> = {
  accessibility: {
    goal: "no violation of WCAG",
    play: () => counted(specs(["--project=dashboard", ...WITH_ACCESSIBILITY])),
  },
  cells: {
    goal: "every REST spec passes for merchants of each of two cells; either server is stopped, killed and hangs",
    play: () => counted(playCells()),
  },
  dashboard: {
    goal: "nothing moves by more than 0.02 while a page loads; no English in a dialog of another language",
    play: () => counted(specs(["--project=dashboard", "layout-shift", "language-dialogs"])),
  },
  deployment: {
    goal: "the Dockerfile as written, on Node 24, and the tarball of a release",
    play: () => counted(specs(["--project=rest", "deployment/"])),
  },
  faults: { goal: "all pass", play: () => counted(specs(["--project=rest", "faults/"])) },
  floods: { goal: "p99 of 500 ms", play: () => scriptOnBuild("floods", [], /^floods: /) },
  fuzz: {
    goal: "0 violations in 1,000,000 requests",
    play: () => scriptOnBuild("faults:fuzz", [], /^fuzz: /),
  },
  histories: {
    goal: "0 problems in 10,000 histories of all runs",
    adds: /histories: (\d+)/,
    play: () => scriptOnBuild("faults:histories", ["--histories", "50", "--seed", newSeed()], /^histories: /),
  },
  "key check": {
    goal: "at most 50 µs of CPU; an unknown key and a wrong secret take the same time within 5 %",
    play: () => script("faults:key-check", [], /^key check: /),
  },
  kills: { goal: "300 points each", play: () => counted(runVitest(["--project=db", "kill.db.test.ts"], DEEP)) },
  mutation: { goal: "at least 90 % killed in each area", play: () => script("mutation", [], /^mutation: /) },
  "node 24": { goal: "unit tests and smoke specs pass", play: () => counted(smokeOnNode24()) },
  pgbouncer: {
    goal: "all REST specs pass behind PgBouncer, with a replica for reports that is away",
    play: () => counted(specs(["--project=rest", "rest/"], { SPEC_POOLER: "pgbouncer" })),
  },
  postgres: { goal: "0 problems", play: () => scriptOnBuild("faults:postgres", [], /^postgres: /) },
  "postgres 15": {
    goal: "all tests on Postgres and all REST specs pass on the oldest supported version, with an English collation",
    play: () => counted(playPostgres15()),
  },
  processes: {
    goal: "0 problems",
    play: () => scriptOnBuild("faults:processes", ["--seed", newSeed()], /^processes \(/),
  },
  recovery: {
    goal: "back after a kill of the web process within 2 s, of Postgres within 5 s (p99); claims taken over within 5 s past their leases; 0 lost, 0 unresolved, 500 kills of Postgres in all runs",
    adds: /(\d+) (kills of Postgres)/,
    play: () => scriptOnBuild("faults:recovery", ["--seed", newSeed()], /^recovery: /),
  },
  races: {
    goal: "2,000 to 10,000 of each kind; 102,000 orders of callbacks",
    play: () =>
      counted(
        runVitest(
          ["--project=db", "--project=unit*", "server/services/races", "gate-races", "callback-orders", "random-acts"],
          DEEP,
        ),
      ),
  },
  model: {
    goal: "1,000,000 histories, 2,000 over HTTP, 1,000 of each kind over each built-in adapter",
    play: playModel,
  },
  moves: {
    goal: "0 problems in 100 histories of merchants that move; a move killed at each of its statements, once to go on and once to be undone",
    play: () => counted(runVitest(["--project=db", ...MOVES], DEEP)),
  },
  secrets: {
    goal: "0 hits for 10,000 account numbers; 100,000 values rewrapped under load, 0 errors, all readable",
    play: () => scriptOnBuild("faults:secrets", [], /^secrets: /),
  },
  soak: {
    goal: "2 h: memory grows by at most 2 MiB an hour, 0 problems, all work done at the end",
    play: () => scriptOnBuild("soak", ["--minutes", "120"], /^soak: /),
  },
  upgrade: {
    goal: "0 problems, and no answer but 201 and 503",
    play: () => scriptOnBuild("drill:upgrade", [], /^upgrade: /),
  },
  webhooks: {
    goal: "1,000,000 deliveries beside hostile receivers: none lost, none twice; first attempt within 2 s (p99)",
    play: () => scriptOnBuild("bench", ["webhooks"], /^webhooks: /),
  },
  "wire, rest": { goal: "0 problems; 3,000 points in all groups", play: () => wire("rest", ...ACTS) },
  "wire, dashboard, lost": { goal: "0 problems", play: () => wire("dashboard", "kill", "reset") },
  "wire, dashboard, passed on": { goal: "0 problems", play: () => wire("dashboard", "lose_answer", "delay") },
  "wire, commands": { goal: "0 problems", play: () => wire("commands", ...ACTS) },
  "wire, worker": { goal: "0 problems", play: () => wire("worker", ...ACTS) },
  "wire, double, rest": {
    goal: "0 problems; 3,000 in both groups and all runs",
    adds: DOUBLE_FAULTS,
    play: () => wire("rest", "double", "--seed", newSeed()),
  },
  "wire, double, worker": {
    goal: "0 problems",
    adds: DOUBLE_FAULTS,
    play: () => wire("worker", "double", "--seed", newSeed()),
  },
  "zoo, first half": { goal: "all planted bugs caught", play: () => script("zoo", ["--half", "1"], /planted bugs/) },
  "zoo, second half": { goal: "all planted bugs caught", play: () => script("zoo", ["--half", "2"], /planted bugs/) },
};

const TABLE = join(PROJECT_ROOT, "docs/reliability.md");
const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: PROJECT_ROOT, encoding: "utf8" }).trim();

/** Plays a part, and replaces its row in the table. Returns true if it passed. */
async function playPart(name: string, { goal, adds, play }: Part): Promise<boolean> {
  const startedAt = performance.now();
  const { tally, text } = await play();
  closeReports(tally);
  const [, count = "0", counted] = adds?.exec(text) ?? [];
  const run: DeepRun = {
    part: name,
    goal,
    result: text,
    isPassed: tally.failed === 0 && tally.passed > 0,
    minutes: (performance.now() - startedAt) / 60_000,
    commit: git("rev-parse", "--short", "HEAD"),
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
    ...(adds && { count: Number(count) }),
    ...(counted && { counted }),
  };
  writeFileSync(TABLE, withRun(readFileSync(TABLE, "utf8"), run));
  process.stdout.write(`\n${summaryLine(tally)}\n`);
  return run.isPassed;
}

/** Plays the parts that were played longest ago, until the time is up. A part that has begun is finished. */
async function playOldest(minutes: number): Promise<boolean> {
  const end = performance.now() + minutes * 60_000;
  let arePassed = true;
  for (const name of oldestFirst(readFileSync(TABLE, "utf8"), Object.keys(PARTS))) {
    const part = PARTS[name];
    if (!part || performance.now() > end) break;
    process.stdout.write(`\n${name}\n`);
    arePassed = (await playPart(name, part)) && arePassed;
  }
  return arePassed;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { deep: { type: "boolean", default: false }, minutes: { type: "string", default: "60" } },
});
const [name = ""] = positionals;
const part = PARTS[name];
if (!part) {
  process.stderr.write(`npm run test:deep -- <part>, one of: ${Object.keys(PARTS).join("; ")}\n`);
  process.exit(2);
}
forwardSignals();
const isPassed = await (values.deep ? playOldest(Number(values.minutes)) : playPart(name, part));
process.exit(isPassed ? 0 : 1);
