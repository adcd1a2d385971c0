// The report of the life bench: life.json for programs, LIFE.md for people.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "../rounds";
import type { Surroundings } from "../surroundings";
import { digits, listed, table, whole } from "../text";
import { type Backlog, QUEUES, type Queue } from "./backlog";
import type { Probe } from "./finder";
import type { Cost } from "./meters";
import { FULL_MINUTES } from "./options";
import type { PeerLives } from "./peer";

export interface LifeResults {
  readonly minutes: number;
  readonly probes: readonly Probe[];
  /** Lives per second of the long run. */
  readonly rate: number;
  readonly lives: number;
  /** Creates of the long run, in ms. */
  readonly createP50: number;
  readonly createP99: number;
  readonly samples: readonly Backlog[];
  readonly growing: readonly Queue[];
  /** Differences between the rows and complete lives. */
  readonly faults: readonly string[];
  /** Polls per life, and the largest number about one payment. */
  readonly polls: number;
  readonly mostPolls: number;
  readonly retriedCallbacks: number;
  readonly cost: Cost;
  /** The create case at 32 connections, after the long run. */
  readonly creates: Measured;
  /** Null if pgbench is not installed or failed. */
  readonly peer: PeerLives | null;
}

/** The least share of the rate of creates, and the most polls about one payment. */
const LEAST_SHARE = 0.5;
const MOST_POLLS = 2;

interface LifeGoal {
  readonly goal: string;
  readonly wanted: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** The goals with the measurements of this run. */
export function lifeGoals({ rate, creates, mostPolls, growing, faults }: LifeResults): LifeGoal[] {
  const share = rate / creates.rate;
  return [
    {
      goal: "lives a second ÷ creates a second, 32 connections",
      wanted: `≥ ${LEAST_SHARE} ×`,
      measured: share.toFixed(2),
      isMet: share >= LEAST_SHARE,
    },
    {
      goal: "polls about one payment, at most",
      wanted: `≤ ${MOST_POLLS}`,
      measured: String(mostPolls),
      isMet: mostPolls <= MOST_POLLS,
    },
    { goal: "growing queues", wanted: "none", measured: growing.join(", ") || "none", isMet: growing.length === 0 },
    {
      goal: "lives with missing or additional rows",
      wanted: "none",
      measured: faults.join("; ") || "none",
      isMet: faults.length === 0,
    },
  ];
}

function backlogRows(samples: readonly Backlog[]): string[][] {
  const middle = samples[Math.floor((samples.length - 1) / 2)];
  const end = samples.at(-1);
  return QUEUES.map((queue) => {
    const most = Math.max(0, ...samples.map((sample) => sample[queue]));
    return [queue, whole(middle?.[queue] ?? 0), whole(end?.[queue] ?? 0), whole(most)];
  });
}

function costRows({ cpuMs }: Cost): string[][] {
  return Object.entries(cpuMs).map(([name, ms]) => [name, digits(ms, 3)]);
}

function changeRows({ tables }: Cost): string[][] {
  return Object.entries(tables)
    .sort(([, a], [, b]) => b.inserted + b.updated - (a.inserted + a.updated))
    .map(([name, { inserted, updated, hot, deleted }]) => [
      name,
      ...[inserted, updated, hot, deleted].map((value) => value.toFixed(2)),
    ]);
}

/** The sum of CPU in ms per life of the service and the database, without the bench's own processes. */
function serviceCpuMs({ cpuMs }: Cost): number {
  const own = Object.entries(cpuMs).filter(([name]) => !name.startsWith("bench"));
  return own.reduce((sum, [, ms]) => sum + (ms ?? 0), 0);
}

/** Sluice's lives beside pgbench's. */
function peerText({ rate, cost, peer }: LifeResults): string {
  if (!peer) return "Not measured: pgbench is not installed, or failed.";
  const rows = [
    ["Sluice, sustained", whole(rate), digits(cost.cpuMs.Postgres ?? null, 3), whole(cost.walBytes)],
    ["pgbench, 32 connections", whole(peer.rate), digits(peer.cpuMs, 3), whole(peer.walBytes)],
  ];
  const who = table(["who", "lives a second", "CPU of Postgres, ms per life", "WAL bytes per life"], rows);
  return `pgbench writes copies of the rows of complete lives, with new ids, in the same shares: one statement per commit, every life for itself. It has no HTTP, provider, triggers or foreign keys, and nothing to look for.\n\n${who}`;
}

/** The report for people. */
export function lifeMarkdown(around: Surroundings, results: LifeResults): string {
  const { minutes, probes, rate, lives, cost, creates } = results;
  const goals = lifeGoals(results).map(({ goal, wanted, measured, isMet }) => [
    goal,
    wanted,
    measured,
    isMet ? "yes" : "**no**",
  ]);
  const probed = probes.map((one) => [whole(one.rate), one.isSustained ? "yes" : "no"]);
  return `# What a whole payment life costs

Written by \`npm run bench -- life\`. [docs/performance.md](../docs/performance.md#whole-lives) describes a life and how it is measured.

- **When**: ${around.at}
- **Machine**: ${listed(around.machine)}; load, services, provider, receiver and database share its cores
- **Versions**: ${listed(around.versions)}
- **Postgres**: ${listed(around.postgres)}
- **Run**: ${whole(lives)} lives at ${whole(rate)} a second for ${minutes} minutes; creates p50 ${digits(results.createP50, 1)} ms, p99 ${digits(results.createP99, 1)} ms
- **Creates**: ${whole(creates.rate)} a second at 32 connections in the same run, spread ${Math.round(creates.spread * 100)} %

## Goals

${table(["goal", "wanted", "measured", "met"], goals)}

## Cost of a life

The service and its database use ${serviceCpuMs(cost).toFixed(2)} ms of CPU per life and write ${whole(cost.walBytes)} bytes of WAL, with ${cost.fullPageImages.toFixed(2)} full-page images. The provider was polled ${results.polls.toFixed(2)} times per life.

${table(["process", "CPU ms per life"], costRows(cost))}

Row changes per life, as Postgres counts them. HOT updates write no index.

${table(["table", "inserted", "updated", "of them HOT", "deleted"], changeRows(cost))}

## Beside pgbench

${peerText(results)}

## Backlog

${table(["queue", "middle", "end", "most"], backlogRows(results.samples))}

## Probes

${probed.length === 0 ? "None: the rate was given." : table(["lives a second", "sustained"], probed)}
`;
}

/** Writes both files. A short run must not replace the results of a full one. */
export function writeLifeReport(root: string, around: Surroundings, results: LifeResults): void {
  const folder = join(root, results.minutes < FULL_MINUTES ? ".data/bench" : "bench");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "LIFE.md"), lifeMarkdown(around, results));
  writeFileSync(join(folder, "life.json"), `${JSON.stringify({ ...around, ...results }, null, 2)}\n`);
}

/** The results as lines for the terminal. */
export function lifeLines(results: LifeResults): string {
  const { cost, rate, lives } = results;
  const cpu = Object.entries(cost.cpuMs).map(([name, ms]) => `${name} ${digits(ms, 3)} ms`);
  return [
    `${whole(lives)} lives at ${whole(rate)} a second; per life: ${cpu.join(", ")}, WAL ${whole(cost.walBytes)} bytes`,
    ...lifeGoals(results).map(
      ({ goal, wanted, measured, isMet }) => `${isMet ? "met " : "MISS"}  ${goal}: ${measured} (${wanted})`,
    ),
  ].join("\n");
}
