// Months as people choose them: "2026-11", November 2026.

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export interface MonthChoice {
  /** Such as "2026-11". */
  readonly value: string;
  /** Such as "November 2026". */
  readonly label: string;
}

/** The number of the month of a day, such as "2026-11-24": months since January of year 0. */
export function monthOf(day: string): number {
  const [year = 0, place = 1] = day.split("-").map(Number);
  return year * 12 + place - 1;
}

/** The first day of such a month. */
export function firstDayOf(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}-01`;
}

/** The month of a day and those before it, the newest first. */
export function monthChoices(day: string, count: number): MonthChoice[] {
  return Array.from({ length: count }, (_, index) => {
    const month = monthOf(day) - index;
    return { value: firstDayOf(month).slice(0, 7), label: `${MONTHS[month % 12]} ${Math.floor(month / 12)}` };
  });
}
