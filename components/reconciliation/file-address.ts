// Owns what the address of a settlement file's page says, read the same by server and browser.
import { LINE_VERDICTS } from "@/server/domain/settlement-line";
import type { FilterField, Filters } from "../lists/filters";

export const FILE_FIELDS: readonly FilterField[] = [{ name: "verdict", label: "Verdict" }];

/** What the procedure is asked. */
export function fileInput(id: string, filters: Filters, cursor: string | undefined) {
  const verdict = LINE_VERDICTS.find((known) => known === filters.verdict);
  return { id, ...(verdict && { verdict }), ...(cursor === undefined ? {} : { cursor }) };
}
