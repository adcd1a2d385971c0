// Plays a scenario with a cut at each of its messages, one after the other.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Act, Cut } from "./cutter";
import type { Scenario, Trial } from "./scenario";
import type { Lane } from "./stage";

/** What came of the cuts of one act in one scenario. */
export interface Played {
  readonly scenario: string;
  readonly act: Act;
  /** The messages that were cut, such as `database >`. */
  readonly fired: readonly string[];
  readonly problems: readonly string[];
}

/** The service finishes what an undisturbed trial began within this time, in ms. */
const QUIET_MS = 1_500;
const SETTLES_WITHIN_MS = 30_000;
const PAUSE_MS = 100;

/** What an undisturbed trial of the scenario comes to. */
export async function expectedOf(lane: Lane, scenario: Scenario): Promise<unknown> {
  const trial = await scenario.prepare(await lane.victim(scenario.victim));
  const result = await trial.perform();
  await sleep(QUIET_MS);
  return trial.outcome(result);
}

/** The outcome once it is as expected, or as it is at the end of the time. */
async function settledOutcome(trial: Trial, result: unknown, expected: unknown): Promise<unknown> {
  for (const end = Date.now() + SETTLES_WITHIN_MS; ; ) {
    const outcome = await trial.outcome(result);
    if (isDeepStrictEqual(outcome, expected) || Date.now() > end) return outcome;
    await sleep(PAUSE_MS);
  }
}

/** Performs the trial and returns what is wrong with its outcome. */
async function judge(trial: Trial, expected: unknown): Promise<readonly string[]> {
  const result = await trial.perform().catch(() => null);
  const outcome = await settledOutcome(trial, result, expected);
  if (isDeepStrictEqual(outcome, expected)) return [];
  return [`the outcome is ${JSON.stringify(outcome)} instead of ${JSON.stringify(expected)}`];
}

/** Cuts one message of one trial. Returns the message, or null if the trial had fewer, and what is wrong. */
async function playOne(lane: Lane, scenario: Scenario, expected: unknown, { at, act }: Cut) {
  const victim = await lane.victim(scenario.victim);
  const { cutter, kill, ended } = victim;
  const trial = await scenario.prepare(victim);
  cutter.arm({ at, act }, kill);
  const problems = await judge(trial, expected).catch((error: unknown) => [String(error)]);
  const message = cutter.disarm()[at] ?? null;
  if (act === "kill" && message !== null) await ended;
  return { message, problems };
}

/** Cuts at the messages with these numbers, by default at each until a trial has no more. `expected` is of `expectedOf`. */
export async function play(
  lane: Lane,
  scenario: Scenario,
  expected: unknown,
  act: Act,
  messages: Iterable<number> = everyNumber(),
): Promise<Played> {
  const { name } = scenario;
  const fired: string[] = [];
  const problems: string[] = [];
  for (const at of messages) {
    const played = await playOne(lane, scenario, expected, { at, act });
    problems.push(...played.problems.map((text) => `${name}, ${act} at message ${at} (${played.message}): ${text}`));
    if (played.message === null) break;
    fired.push(played.message);
  }
  return { scenario: name, act, fired, problems };
}

function* everyNumber(): Iterable<number> {
  for (let number = 0; ; number += 1) yield number;
}
