// The figures that a merchant begins the day with: how much succeeded, how often, and what failed.
import { findEnds, hasPayments } from "@/server/db/figures/read";
import { addDays } from "@/server/domain/days";
import { addFigures, type Figures, type PeriodChoice, periodOf } from "@/server/domain/figures";
import type { Scope } from "@/server/domain/scope";
import { merchantClock } from "../merchants/clock";

/** More audit entries than this, that the worker has not added up yet, are not looked at for one answer. */
const MOST_UNFOLDED = 10_000;

export interface PeriodFigures extends Figures {
  /** First and last day, as 2026-11-21. */
  readonly from: string;
  readonly to: string;
  /** True when some of the newest ends are not counted yet, since the worker is behind. */
  readonly isBehind: boolean;
  /** False for a merchant without any payment, of whom nothing has ended either. */
  readonly hasBegun: boolean;
}

/**
 * The figures of a period of the zone's days, an IANA name, beside those of as many days before; "today" is the scope's
 * time. They are of one instant: everything that had ended by then is in them.
 */
export async function readFigures(
  scope: Scope,
  choice: PeriodChoice,
  zone: string,
  mostUnfolded = MOST_UNFOLDED,
): Promise<PeriodFigures> {
  const { from, to, before, starts } = periodOf(choice, (await merchantClock(scope))(), zone);
  const [{ ends, isBehind }, begun] = await Promise.all([findEnds(scope, starts, mostUnfolded), hasPayments(scope)]);
  const dayEnds = ends.map(({ dayIndex, ...end }) => ({ ...end, day: addDays(before, dayIndex) }));
  return { ...addFigures(dayEnds, from), from, to, isBehind, hasBegun: begun || ends.length > 0 };
}
