// The state in the address of a settlement file's page, parsed the same way by server and browser.
import { dayAt } from "@/server/domain/days";
import { LINE_VERDICTS } from "@/server/domain/settlement-line";
import type { Filters, ListField } from "../lists/filters";

/** On the list of files: the month whose totals are shown, such as "2026-11". */
export const MONTH_FIELDS: readonly ListField[] = [{ name: "month" }];

/** The month whose totals are shown: the chosen one, else the one of the day in the zone, an IANA name. */
export function shownMonth({ month }: Filters, zone: string, now: Date): string {
  return month ?? dayAt(now, zone).slice(0, "2026-11".length);
}

export const FILE_FIELDS: readonly ListField[] = [{ name: "verdict" }];

/** Input of the procedure. */
export function fileInput(id: string, filters: Filters, cursor: string | undefined) {
  const verdict = LINE_VERDICTS.find((known) => known === filters.verdict);
  return { id, ...(verdict && { verdict }), ...(cursor === undefined ? {} : { cursor }) };
}
