// Rounds in turn: every contestant of a case once, then each again, so that drift affects all alike.
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "@/e2e/support/statistics";
import { type Round, spread } from "./statistics";

export interface Contestant {
  readonly name: string;
  run(connections: number, seconds: number): Promise<Round>;
  /** Number of rows that its successful requests have made so far; omitted for cases without writes. */
  countRows?(): Promise<number>;
  /** CPU seconds that its own process has used, if the system reports them. */
  cpuSeconds?(): number | null;
  /** Its rejections are shown but do not fail the run, since it is not ours. */
  readonly mayFail?: true;
  /** Minimum connections at which it takes part; omitted for any number. */
  readonly fromConnections?: number;
}

export interface Case {
  readonly name: string;
  readonly connections: readonly number[];
  readonly contestants: readonly Contestant[];
}

export interface Settings {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface Measured {
  readonly case: string;
  readonly contestant: string;
  readonly connections: number;
  /** Median of the rounds, requests per second. */
  readonly rate: number;
  /** (largest − smallest) ÷ median. */
  readonly spread: number;
  /** Milliseconds, medians of the rounds. */
  readonly p50: number;
  readonly p99: number;
  readonly done: number;
  readonly failed: number;
  /** Rows made in the rounds; null for cases without writes. */
  readonly rows: number | null;
  readonly cpuMsPerRequest: number | null;
}

/** Longer than a commit in progress takes. */
const SETTLING_MS = 250;

interface Tally {
  readonly rounds: Round[];
  /** Differences between rows and answers. */
  readonly faults: string[];
  rows: number | null;
  cpuSeconds: number | null;
}

/**
 * Every answered request has its row. Additional rows can come only from requests that failed halfway, or were in
 * progress when this load or the previous one ended. Returns the fault, or null.
 */
function rowFault(name: string, { done, failed }: Round, rows: number, connections: number): string | null {
  const isRight = rows >= done && rows <= done + failed + 2 * connections;
  return isRight ? null : `${name} answered ${done} requests with success, but made ${rows} rows`;
}

/** The number of rows after the requests in progress have ended, when two counts are equal. */
async function settledRows(contestant: Contestant): Promise<number | null> {
  let last = (await contestant.countRows?.()) ?? null;
  while (last !== null) {
    await sleep(SETTLING_MS);
    const rows = (await contestant.countRows?.()) ?? null;
    if (rows === last) break;
    last = rows;
  }
  return last;
}

async function runRound(contestant: Contestant, connections: number, seconds: number, tally: Tally): Promise<void> {
  const rowsBefore = (await contestant.countRows?.()) ?? null;
  const cpuBefore = contestant.cpuSeconds?.() ?? null;
  const round = await contestant.run(connections, seconds);
  const cpuAfter = contestant.cpuSeconds?.() ?? null;
  if (cpuBefore !== null && cpuAfter !== null) tally.cpuSeconds = (tally.cpuSeconds ?? 0) + cpuAfter - cpuBefore;
  if (rowsBefore !== null) {
    const rows = ((await settledRows(contestant)) ?? 0) - rowsBefore;
    const fault = rowFault(contestant.name, round, rows, connections);
    if (fault) tally.faults.push(fault);
    tally.rows = (tally.rows ?? 0) + rows;
  }
  tally.rounds.push(round);
}

/** A round without answers counts as the slowest. */
function unlessNone(milliseconds: number): number {
  return Number.isNaN(milliseconds) ? Number.POSITIVE_INFINITY : milliseconds;
}

function summary(measured: Case, contestant: Contestant, connections: number, tally: Tally): Measured {
  const { rounds, rows, cpuSeconds } = tally;
  const rates = rounds.map(({ rate }) => rate);
  const done = rounds.reduce((sum, round) => sum + round.done, 0);
  return {
    case: measured.name,
    contestant: contestant.name,
    connections,
    rate: median(rates),
    spread: spread(rates),
    p50: median(rounds.map(({ p50 }) => unlessNone(p50))),
    p99: median(rounds.map(({ p99 }) => unlessNone(p99))),
    done,
    failed: rounds.reduce((sum, round) => sum + round.failed, 0),
    rows,
    cpuMsPerRequest: cpuSeconds === null ? null : (cpuSeconds * 1_000) / done,
  };
}

function say(result: Measured): void {
  const { case: name, connections, contestant, rate, p50, p99, failed } = result;
  process.stdout.write(
    `${name} · ${connections} connections · ${contestant}: ${Math.round(rate)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms${failed > 0 ? `, ${failed} FAILED` : ""}\n`,
  );
}

/** Resolves once no statement of an earlier load runs. */
export type UntilQuiet = () => Promise<void>;

/**
 * Warms all contestants up, runs the rounds and passes on each complete result. Before each load it waits until the earlier one
 * is over. Throws at the end if rows and answers disagree, one of our requests was rejected, or a contestant answered nothing.
 */
export async function runCase(
  measured: Case,
  settings: Settings,
  untilQuiet: UntilQuiet,
  keep: (result: Measured) => void,
): Promise<void> {
  const faults: string[] = [];
  for (const connections of measured.connections)
    faults.push(...(await runAt(connections, measured, settings, untilQuiet, keep)));
  if (faults.length > 0) throw new Error(faults.join("; "));
}

/** All rounds at one number of connections. Returns the faults. A contestant that throws takes no further part. */
async function runAt(
  connections: number,
  measured: Case,
  { rounds, seconds, warmUpSeconds }: Settings,
  untilQuiet: UntilQuiet,
  keep: (result: Measured) => void,
): Promise<string[]> {
  const faults: string[] = [];
  const contestants = measured.contestants.filter(({ fromConnections = 1 }) => connections >= fromConnections);
  const tallies = new Map(
    contestants.map((one): [Contestant, Tally] => [one, { rounds: [], faults: [], rows: null, cpuSeconds: null }]),
  );
  const inTurn = async (play: (contestant: Contestant, tally: Tally) => Promise<unknown>) => {
    for (const [contestant, tally] of tallies) {
      await untilQuiet();
      await play(contestant, tally).catch((error: unknown) => {
        tallies.delete(contestant);
        faults.push(`${contestant.name} at ${connections} connections: ${messageOf(error)}`);
      });
    }
  };
  await inTurn(async (contestant) => {
    await contestant.run(connections, warmUpSeconds);
    await settledRows(contestant);
  });
  for (let round = 0; round < rounds; round += 1)
    await inTurn((contestant, tally) => runRound(contestant, connections, seconds, tally));
  for (const [contestant, tally] of tallies) {
    const result = summary(measured, contestant, connections, tally);
    say(result);
    keep(result);
    if (result.done === 0 || (contestant.mayFail !== true && result.failed > 0))
      faults.push(
        `${result.contestant} refused ${result.failed} at ${connections} connections and answered ${result.done}`,
      );
    faults.push(...tally.faults);
  }
  return faults;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
