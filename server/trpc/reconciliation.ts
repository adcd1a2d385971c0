// The dashboard's procedures on reconciliation: the settlement files that name the merchant, and its lines in one.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { cursor } from "@/server/contract/lists";
import { plainListQuery } from "@/server/contract/webhooks";
import { LINE_VERDICTS } from "@/server/domain/settlement-line";
import { decodeCursor, encodeCursor } from "@/server/http/cursor";
import { presentPage, readListQuery } from "@/server/http/list";
import type { PagePosition } from "@/server/services/page";
import {
  type LinePlace,
  listSettlementFiles,
  type MerchantFile,
  readSettlementFile,
} from "@/server/services/reconciliation/files";
import { memberProcedure, router } from "./procedures";

const ROUTE = "/settlement_files";
const LINES = 50;

const read = memberProcedure("read_reconciliation");
const fileInput = z.object({
  id: z.string(),
  verdict: z.enum(LINE_VERDICTS, { error: `must be one of ${LINE_VERDICTS.join(", ")}` }).optional(),
  cursor: cursor.optional(),
});

function presentFile({ id, provider, name, from, to, importedAt, counts }: MerchantFile) {
  return {
    id,
    provider,
    name,
    from: formatInstant(from),
    to: formatInstant(to),
    imported_at: formatInstant(importedAt),
    counts,
  };
}

/** A list position is an instant and a name; here the name is sufficient. */
const toPosition = ({ verdict, row }: LinePlace): PagePosition => ({ createdAt: new Date(0), id: `${verdict}~${row}` });

function fromPosition({ id }: PagePosition): LinePlace {
  const [name, row] = id.split("~");
  return { verdict: LINE_VERDICTS.find((known) => known === name) ?? "matched", row: Number(row) };
}

export const reconciliationRouter = router({
  files: read.input(plainListQuery).query(async ({ ctx: { call }, input }) => {
    const { after, limit } = readListQuery(call.scope, ROUTE, input);
    return presentPage(call.scope, ROUTE, await listSettlementFiles(call.scope, after, limit), presentFile);
  }),

  file: read.input(fileInput).query(async ({ ctx: { call }, input }) => {
    const route = `${ROUTE}/${input.id}/${input.verdict ?? ""}`;
    const after = input.cursor === undefined ? null : fromPosition(decodeCursor(call.scope, route, input.cursor));
    const { file, lines, next } = await readSettlementFile(call.scope, input, after, LINES);
    return {
      file: presentFile(file),
      data: lines.map(({ lineId, intentId, settledAt, amount, fee, ours, ...line }) => ({
        ...line,
        line_id: lineId,
        intent_id: intentId,
        amount: amount.toString(),
        fee: fee.toString(),
        /** The sum in our books, where the line has another. */
        ours: ours && { amount: ours.amount.toString(), currency: ours.currency },
        settled_at: formatInstant(settledAt),
      })),
      next_cursor: next && encodeCursor(call.scope, route, toPosition(next)),
    };
  }),
});
