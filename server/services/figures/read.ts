// A merchant's daily figures: amounts and counts that succeeded, and what failed.
import { findEnds, hasPayments } from "@/server/db/figures/read";
import { addDays } from "@/server/domain/days";
import { addFigures, type Figures, type PeriodChoice, periodOf } from "@/server/domain/figures";
import type { Scope } from "@/server/domain/scope";
import { merchantClock } from "../merchants/settings";
import { readReport } from "../reports";

/** Maximum number of audit entries not yet added up by the worker that one answer reads. */
const MOST_UNFOLDED = 10_000;

export interface PeriodFigures extends Figures {
  /** First and last day, as 2026-11-21. */
  readonly from: string;
  readonly to: string;
  /** True if the newest finished intents are not counted yet because the worker is behind. */
  readonly isBehind: boolean;
  /** Nothing that ended before this instant is missing; null if the service's own database was read. */
  readonly asOf: Date | null;
  /** False for a merchant without any payment and without any finished intent. */
  readonly hasBegun: boolean;
}

/**
 * Returns the figures of a period of days in the zone, an IANA name, beside those of as many days before. "Today"
 * follows the scope's clock. They are a snapshot of one instant.
 */
export async function readFigures(
  scope: Scope,
  choice: PeriodChoice,
  zone: string,
  mostUnfolded = MOST_UNFOLDED,
): Promise<PeriodFigures> {
  const { from, to, before, starts } = periodOf(choice, (await merchantClock(scope))(), zone);
  const { asOf, result } = await readReport(() =>
    Promise.all([findEnds(scope, starts, mostUnfolded), hasPayments(scope)]),
  );
  const [{ ends, isBehind }, begun] = result;
  const dayEnds = ends.map(({ dayIndex, ...end }) => ({ ...end, day: addDays(before, dayIndex) }));
  return { ...addFigures(dayEnds, from), from, to, isBehind, asOf, hasBegun: begun || ends.length > 0 };
}
