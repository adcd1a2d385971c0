// Owns the figures that a merchant begins the day with: how much succeeded, how often, and what failed.
import { findEnds, hasPayments } from "@/server/db/figures";
import { addFigures, dayOf, type Figures, type PeriodDays, periodOf } from "@/server/domain/figures";
import type { Scope } from "@/server/domain/scope";
import { merchantClock } from "../merchants/clock";

/** More than this many ends are not looked at for one answer: the oldest of them are left out, and it says so. */
const MOST_ENDS = 50_000;

export interface PeriodFigures extends Figures {
  /** First and last day, in UTC. */
  readonly from: string;
  readonly to: string;
  /** From when on everything is counted, where that is not the beginning of the period before; else null. */
  readonly countedSince: Date | null;
  /** False for a merchant without any payment, of whom nothing has ended either. */
  readonly hasBegun: boolean;
}

/** The figures of the last `days` days of the scope's time, beside those of as many days before. */
export async function readFigures(scope: Scope, days: PeriodDays, most = MOST_ENDS): Promise<PeriodFigures> {
  const now = (await merchantClock(scope))();
  const { before, from } = periodOf(days, now);
  const [{ ends, cutAt }, begun] = await Promise.all([findEnds(scope, before, most), hasPayments(scope)]);
  return {
    ...addFigures(ends, dayOf(from)),
    from: dayOf(from),
    to: dayOf(now),
    countedSince: cutAt,
    hasBegun: begun || ends.length > 0,
  };
}
