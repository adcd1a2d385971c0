// Owns what the address of the overview says, read the same by server and browser.
import { PERIODS, type PeriodDays } from "@/server/domain/figures";
import { type FilterField, type Filters, withFilter } from "../lists/filters";

export const OVERVIEW_FIELDS: readonly FilterField[] = [
  { name: "days", label: "Days" },
  { name: "from", label: "From" },
  { name: "to", label: "Until" },
  { name: "currency", label: "Currency" },
];

/** What the procedure is asked. */
export type Period = { readonly days: PeriodDays } | { readonly from: string; readonly to: string };

/** From one day to another where the address names both; else so many days up to today, thirty unless it says. */
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
