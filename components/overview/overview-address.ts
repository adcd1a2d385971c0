// Owns what the address of the overview says, read the same by server and browser.
import { PERIODS, type PeriodDays } from "@/server/domain/figures";
import type { FilterField, Filters } from "../lists/filters";

export const OVERVIEW_FIELDS: readonly FilterField[] = [
  { name: "days", label: "Days" },
  { name: "currency", label: "Currency" },
];

/** Thirty days, unless the address names another period. */
export function chosenDays({ days }: Filters): PeriodDays {
  return PERIODS.find((known) => String(known) === days) ?? 30;
}
