// Plays batches of random histories from a seed, and shrinks the first that is violated.
import fc from "fast-check";
import { historiesOf } from "../world/arbitrary";
import { type History, KINDS, type Kind } from "../world/history";
import { type Counts, countPlayed } from "./coverage";
import { play } from "./play";

interface Failure {
  readonly seed: number;
  /** The shrunk history. */
  readonly history: History;
  readonly violations: readonly string[];
}

export interface Batch {
  readonly histories: number;
  readonly counts: Counts;
  readonly failures: readonly Failure[];
}

const ARBITRARIES: Readonly<Record<Kind, fc.Arbitrary<History>>> = {
  payment: historiesOf("payment"),
  payout: historiesOf("payout"),
  topup: historiesOf("topup"),
};

function playKind(kind: Kind, seed: number, histories: number, counts: Counts): Failure | null {
  let isShrinking = false;
  const property = fc.property(ARBITRARIES[kind], (history) => {
    const played = play(history);
    if (!isShrinking) countPlayed(counts, kind, played);
    isShrinking ||= played.violations.length > 0;
    return played.violations.length === 0;
  });
  const { counterexample } = fc.check(property, { seed, numRuns: histories });
  if (!counterexample) return null;
  const [history] = counterexample;
  return { seed, history, violations: play(history).violations };
}

/**
 * Plays `histories` histories, divided among the given kinds as evenly as possible. Equal arguments play equal
 * histories.
 */
export function playBatch(seed: number, histories: number, kinds: readonly Kind[] = KINDS): Batch {
  const counts: Counts = {};
  const each = Math.ceil(histories / kinds.length);
  const failures = kinds.flatMap((kind) => playKind(kind, seed, each, counts) ?? []);
  return { histories: each * kinds.length, counts, failures };
}
