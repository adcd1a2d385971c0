// Plays a scenario with a cut at each of its messages, one after the other.
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Act, Cut } from "./cutter";
import type { Scenario, Trial } from "./scenario";
import type { Lane } from "./stage";

/** What came of the cuts of one act in one scenario. */
export interface Played {
  readonly scenario: string;
  readonly act: Act | "double";
  /** The messages that were cut, such as `database >`; of double faults, both. */
  readonly fired: readonly string[];
  readonly problems: readonly string[];
}

/** The service finishes what an undisturbed trial began within this time, in ms. */
const QUIET_MS = 1_500;
const SETTLES_WITHIN_MS = 30_000;
const PAUSE_MS = 100;

/** What an undisturbed trial of the scenario comes to. */
export async function expectedOf(lane: Lane, scenario: Scenario): Promise<unknown> {
  const victim = await lane.victim(scenario.victim);
  const trial = await scenario.prepare(victim);
  const result = await trial.perform(victim);
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

/** Returns what is wrong with the outcome of a trial whose last attempt came to `result`. */
async function judge(trial: Trial, result: unknown, expected: unknown): Promise<readonly string[]> {
  const outcome = await settledOutcome(trial, result, expected);
  if (isDeepStrictEqual(outcome, expected)) return [];
  return [`the outcome is ${JSON.stringify(outcome)} instead of ${JSON.stringify(expected)}`];
}

/** A cut, or the kill of the database server at a message. */
interface Fault extends Pick<Cut, "at"> {
  readonly act: Act | "kill database";
  /** The leases of idempotency keys have run out before this attempt. */
  readonly isAfterLeases?: boolean;
}

/**
 * Breaks a message of the first attempt, of the second, and so on. Returns the messages that were broken, null for an attempt
 * that had fewer, and what is wrong.
 */
async function playTrial(lane: Lane, scenario: Scenario, expected: unknown, faults: readonly Fault[]) {
  const trial = await scenario.prepare(await lane.victim(scenario.victim));
  const fired: (string | null)[] = [];
  let problems: readonly string[] = [];
  for (const [number, { at, act, isAfterLeases }] of faults.entries()) {
    const victim = await lane.victim(scenario.victim);
    const database = act === "kill database" ? await lane.databaseKill() : null;
    if (isAfterLeases) await lane.endLeases();
    victim.cutter.arm({ at, act: act === "kill database" ? "kill" : act }, database?.kill ?? victim.kill);
    const result = await trial.perform(victim).catch(() => null);
    // No one can judge while the database is away, so a message that comes later does not end it.
    const early = database && victim.cutter.disarm();
    await database?.restarted();
    if (number === faults.length - 1) {
      if (faults.length > 1) await lane.endLeases();
      problems = await judge(trial, result, expected).catch((error: unknown) => [String(error)]);
    }
    const message = (early ?? victim.cutter.disarm())[at] ?? null;
    fired.push(message);
    if (act === "kill" && message !== null) await victim.ended;
  }
  return { fired, problems };
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
    const played = await playTrial(lane, scenario, expected, [{ at, act }]);
    const [message = null] = played.fired;
    problems.push(...played.problems.map((text) => `${name}, ${act} at message ${at} (${message}): ${text}`));
    if (message === null) break;
    fired.push(message);
  }
  return { scenario: name, act, fired, problems };
}

/** The acts of first faults: a late message is none. */
const BREAKS = ["kill", "reset", "lose_answer"] as const satisfies readonly Act[];
/** Those of second faults. */
const SECOND_BREAKS = [...BREAKS, "kill database"] as const;
/** The second cut is at one of the first messages: a retry of a finished write has few. */
const SECOND_WITHIN = 8;

/** Passes of double faults at most, so that a scenario whose second attempts have no messages ends. */
const PASSES_AT_MOST = 10;

/**
 * Cuts each message of the first attempt, and then one of the second, both by chance; or the database server is killed at it
 * and comes back. One second attempt in two comes when the leases of idempotency keys have run out, so that it resumes the
 * work; the others find the key in use. Nobody waits for leases: single faults do, and a double fault would take a second longer.
 * A double fault counts if both messages were broken; how many of a pass count depends on chance and speed, so passes are
 * repeated until `atLeast` did. `draw` returns a random whole number below its argument.
 */
export async function playDouble(
  lane: Lane,
  scenario: Scenario,
  expected: unknown,
  draw: (below: number) => number,
  atLeast = 1,
): Promise<Played> {
  const { name } = scenario;
  const fired: string[] = [];
  const problems: string[] = [];
  const first = (at: number): Fault => ({ at, act: BREAKS[draw(BREAKS.length)] ?? "kill" });
  const second = (): Fault => ({
    at: draw(SECOND_WITHIN),
    act: SECOND_BREAKS[draw(SECOND_BREAKS.length)] ?? "kill",
    isAfterLeases: draw(2) === 0,
  });

  async function pass(): Promise<void> {
    for (const at of everyNumber()) {
      const faults = [first(at), second()];
      const played = await playTrial(lane, scenario, expected, faults);
      const shown = faults.map((fault) => `${fault.act} at message ${fault.at}`).join(", ");
      problems.push(...played.problems.map((text) => `${name}, ${shown} (${played.fired.join(", ")}): ${text}`));
      const [one, other] = played.fired;
      if (one === null) return;
      if (other !== null) fired.push(`${one}, ${other}`);
    }
  }

  for (let passes = 0; fired.length < atLeast && passes < PASSES_AT_MOST; passes += 1) await pass();
  return { scenario: name, act: "double", fired, problems };
}

function* everyNumber(): Iterable<number> {
  for (let number = 0; ; number += 1) yield number;
}
