// Checks what the service did against the oracle, in every order in which it can have processed what overlapped.
import { boundViolations, truthViolations } from "../oracle/bounds";
import { violationsOf } from "../oracle/compare";
import type { Actual } from "../oracle/observation";
import { oracleOf } from "../oracle/oracle";
import type { World } from "../world/world";
import { type Occurrence, orders } from "./occurrences";

export interface Case {
  readonly world: World;
  readonly destination: string;
  readonly occurrences: readonly Occurrence[];
  readonly actual: Actual;
  readonly sentAfterAcceptance: boolean;
  readonly wasLeftInDoubt: boolean;
}

/** The violations in the order with the fewest; empty if some order explains everything. */
export function judge({
  world,
  destination,
  occurrences,
  actual,
  sentAfterAcceptance,
  wasLeftInDoubt,
}: Case): string[] {
  const { history, asked } = world;
  const truth = truthViolations(history, world, actual, sentAfterAcceptance);
  if (wasLeftInDoubt) truth.push("the intent was given to a second provider although the first could have it");
  let best: string[] | null = null;
  for (const order of orders(occurrences)) {
    const oracle = oracleOf(history, asked, destination);
    for (const one of order) one.apply(oracle);
    oracle.rested();
    const found = oracle.isDisputed
      ? boundViolations(history, world, actual, destination)
      : violationsOf(history.kind, oracle.expectation(), actual);
    if (found.length === 0) return truth;
    if (best === null || found.length < best.length) best = found;
  }
  return [...truth, ...(best ?? [])];
}
