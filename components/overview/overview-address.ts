// The state in the overview's address, parsed the same way by server and browser.
import { PERIODS, type PeriodDays } from "@/server/domain/figures";
import { type Filters, type ListField, withFilter } from "../lists/filters";

export const OVERVIEW_FIELDS: readonly ListField[] = [
  { name: "days" },
  { name: "from" },
  { name: "to" },
  { name: "currency" },
];

/** Input of the procedure. */
export type Period = { readonly days: PeriodDays } | { readonly from: string; readonly to: string };

/** A range if the address names both days; else the number of days up to today, 30 by default. */
export function chosenPeriod({ days, from, to }: Filters): Period {
  if (from && to) return { from, to };
  return { days: PERIODS.find((known) => String(known) === days) ?? 30 };
}

/** The address's filters with another period. */
export function withPeriod(filters: Filters, period: Period): Filters {
  const days = "days" in period ? String(period.days) : "";
  const [from, to] = "from" in period ? [period.from, period.to] : ["", ""];
  return withFilter(withFilter(withFilter(filters, "days", days), "from", from), "to", to);
}
