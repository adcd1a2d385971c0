// Since when a member's authority counts.
import { type Actor, recordedActor } from "./scope";

/** A member decides in an environment only on what was made from then on. */
export interface Authority {
  readonly testFrom: Date;
  readonly liveFrom: Date;
}

/** The authority that `giver` gives at `at`. In live it counts after the cool-down, unless the operator gives it. */
export function authorityGiven(at: Date, giver: Actor, coolDownSeconds: number): Authority {
  const byOperator = recordedActor(giver).type === "operator";
  return { testFrom: at, liveFrom: byOperator ? at : new Date(at.getTime() + coolDownSeconds * 1_000) };
}

/** 30 days: a longer one would outlast the time in which payouts lapse several times over. */
export const LONGEST_COOL_DOWN_SECONDS = 2_592_000;
