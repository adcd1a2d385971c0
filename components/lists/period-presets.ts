// The periods that accountants ask for, as days: this and the last month, quarters, the year, and single months.

import { addDays } from "@/server/domain/days";
import { firstDayOf, monthChoices, monthOf } from "@/server/domain/months";
import type { Texts } from "../i18n/dashboard-texts";
import { monthName } from "../i18n/names";

export interface PeriodPreset {
  readonly value: string;
  readonly label: string;
  /** The first day and the last one, such as "2026-11-01". */
  readonly from: string;
  readonly until: string;
}

/** This month, the last one, and eleven before. */
const MONTHS = 13;

/** Whole months, from one to before another. */
function months(value: string, label: string, from: number, to: number): PeriodPreset {
  return { value, label, from: firstDayOf(from), until: addDays(firstDayOf(to), -1) };
}

/** The last days and the last two months on a day, such as "2026-11-24". */
export function recentPresets(texts: Texts, today: string): PeriodPreset[] {
  const since = (days: number) => addDays(today, 1 - days);
  return [
    { value: "today", label: texts("lists.today"), from: today, until: today },
    { value: "yesterday", label: texts("lists.yesterday"), from: since(2), until: since(2) },
    { value: "7_days", label: texts("lists.last7Days"), from: since(7), until: today },
    { value: "30_days", label: texts("lists.last30Days"), from: since(30), until: today },
    ...periodPresets(texts, today).slice(0, 2),
  ];
}

/** The periods that can be chosen on a day, such as "2026-11-24". */
export function periodPresets(texts: Texts, today: string): PeriodPreset[] {
  const month = monthOf(today);
  const quarter = month - (month % 3);
  const january = month - (month % 12);
  return [
    months("this_month", texts("lists.thisMonth"), month, month + 1),
    months("last_month", texts("lists.lastMonth"), month - 1, month),
    months("this_quarter", texts("lists.thisQuarter"), quarter, quarter + 3),
    months("last_quarter", texts("lists.lastQuarter"), quarter - 3, quarter),
    months("this_year", texts("lists.thisYear"), january, january + 12),
    months("last_year", texts("lists.lastYear"), january - 12, january),
    ...monthChoices(today, MONTHS)
      .slice(2)
      .map((value) => months(value, monthName(texts.language, value), monthOf(value), monthOf(value) + 1)),
  ];
}
