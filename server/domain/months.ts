// Months as addresses name them: "2026-11".

/** The number of the month of a day, such as "2026-11-24": months since January of year 0. */
export function monthOf(day: string): number {
  const [year = 0, place = 1] = day.split("-").map(Number);
  return year * 12 + place - 1;
}

/** The first day of such a month. */
export function firstDayOf(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}-01`;
}

/** The month of a day and those before it, such as "2026-11", the newest first. */
export function monthChoices(day: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => firstDayOf(monthOf(day) - index).slice(0, 7));
}
