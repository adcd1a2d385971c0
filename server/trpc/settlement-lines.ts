// Pages of a settlement file's lines: of one verdict or of all, and where a page begins.
import { z } from "zod";
import { LINE_VERDICTS } from "@/server/domain/settlement-line";
import type { PagePosition } from "@/server/services/page";
import type { LinePlace } from "@/server/services/reconciliation/files";

export const lineVerdict = z.enum(LINE_VERDICTS, { error: `must be one of ${LINE_VERDICTS.join(", ")}` });

/** A list position is an instant and a name; here the name is sufficient. */
export function positionOfLine({ verdict, row }: LinePlace): PagePosition {
  return { createdAt: new Date(0), id: `${verdict}~${row}` };
}

/** The place that `positionOfLine` named. */
export function lineAtPosition({ id }: PagePosition): LinePlace {
  const [name, row] = id.split("~");
  return { verdict: LINE_VERDICTS.find((known) => known === name) ?? "matched", row: Number(row) };
}
