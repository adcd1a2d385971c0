// What a scenario is: something that a process of the service does, to be cut at each of its messages.
import type { Victim } from "./stage";
import type { VictimKind } from "./victim";

/** One thing to do, with fresh objects. */
export interface Trial<Result = unknown> {
  /** Has this victim do it; its messages are cut. Called again for a second fault, as a retry or by the next process. */
  perform(by: Victim): Promise<Result>;
  /**
   * Does what the caller or the next process does after a fault, where nothing is cut, and returns what has come of it. It
   * must be as without a fault. Called repeatedly until it is. `result` is null if `perform` threw.
   */
  outcome(result: Result | null): Promise<unknown>;
}

export interface Scenario {
  readonly name: string;
  readonly victim: VictimKind;
  prepare(victim: Victim): Promise<Trial>;
}

/** Declares a scenario; the type of its trials' results stays its own. */
export function scenario<Result>(
  name: string,
  victim: VictimKind,
  prepare: (victim: Victim) => Promise<Trial<Result>>,
): Scenario {
  return { name, victim, prepare: prepare as Scenario["prepare"] };
}
