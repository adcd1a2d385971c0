// The dashboard's procedures on reconciliation: the settlement files that name the merchant, and its lines in one.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { cursor } from "@/server/contract/lists";
import { plainListQuery } from "@/server/contract/webhooks";
import { monthIn } from "@/server/domain/days";
import { LONGEST_UPLOAD } from "@/server/domain/settlement-line";
import { decodeCursor, encodeCursor } from "@/server/http/cursor";
import { presentPage, readListQuery } from "@/server/http/list";
import {
  listProviders,
  listSettlementFiles,
  type MerchantFile,
  readSettlementFile,
  type SettlementTotal,
} from "@/server/services/reconciliation/files";
import { sumFile, sumPeriod } from "@/server/services/reconciliation/totals";
import { previewUpload, storeUpload, type UploadedLine } from "@/server/services/reconciliation/upload";
import { formatAsOf } from "./as-of";
import { memberProcedure, router } from "./procedures";
import { lineAtPosition, lineVerdict, positionOfLine } from "./settlement-lines";
import { timeZone } from "./time-zone";

const ROUTE = "/settlement_files";
const LINES = 50;

const read = memberProcedure("read_reconciliation");
const fileInput = z.object({
  id: z.string(),
  verdict: lineVerdict.optional(),
  cursor: cursor.optional(),
});

const upload = z.object({
  provider: z.string().max(64),
  name: z.string().max(255),
  text: z.string().max(LONGEST_UPLOAD, { error: `must have at most ${LONGEST_UPLOAD} characters; split the file` }),
});

function presentTotal({ provider, currency, lines, differing, theirs, ours, fees }: SettlementTotal) {
  return {
    provider,
    currency,
    lines,
    differing,
    theirs: theirs.toString(),
    ours: ours.toString(),
    difference: (theirs - ours).toString(),
    fees: fees.toString(),
  };
}

function presentUploaded({ line, verdict, why, isKnown, isRepeat, intentId }: UploadedLine) {
  return {
    row: line.row,
    line_id: line.lineId,
    kind: line.kind,
    reference: line.reference,
    intent_id: intentId,
    amount: line.amount.toString(),
    fee: line.fee.toString(),
    currency: line.currency,
    settled_at: formatInstant(line.settledAt),
    verdict,
    why,
    /** An earlier file has brought it, or a line above it in this one. */
    is_known: isKnown,
    is_repeat: isRepeat,
  };
}

function presentFile({ id, provider, name, from, to, importedAt, uploadedBy, counts }: MerchantFile) {
  return {
    id,
    provider,
    name,
    from: formatInstant(from),
    to: formatInstant(to),
    imported_at: formatInstant(importedAt),
    is_uploaded: uploadedBy !== null,
    counts,
  };
}

export const reconciliationRouter = router({
  files: read.input(plainListQuery).query(async ({ ctx: { call }, input }) => {
    const { after, limit } = readListQuery(call.scope, ROUTE, input);
    return presentPage(call.scope, ROUTE, await listSettlementFiles(call.scope, after, limit), presentFile);
  }),

  file: read.input(fileInput).query(async ({ ctx: { call }, input }) => {
    const route = `${ROUTE}/${input.id}/${input.verdict ?? ""}`;
    const after = input.cursor === undefined ? null : lineAtPosition(decodeCursor(call.scope, route, input.cursor));
    const { file, lines, next } = await readSettlementFile(call.scope, input, after, LINES);
    return {
      file: presentFile(file),
      totals: (await sumFile(call.scope, file)).map(presentTotal),
      data: lines.map(({ lineId, intentId, settledAt, amount, fee, ours, names, ...line }) => ({
        ...line,
        line_id: lineId,
        intent_id: intentId,
        merchant_reference: names?.merchantReference ?? null,
        counterparty: names?.counterparty ?? null,
        amount: amount.toString(),
        fee: fee.toString(),
        /** The sum in our books, where the line has another. */
        ours: ours && { amount: ours.amount.toString(), currency: ours.currency },
        settled_at: formatInstant(settledAt),
      })),
      next_cursor: next && encodeCursor(call.scope, route, positionOfLine(next)),
    };
  }),

  /** What providers settled in a month of the zone, beside the books, by provider and currency. */
  month: read
    .input(
      z.object({
        month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-11"),
        time_zone: timeZone,
      }),
    )
    .query(async ({ ctx: { call }, input: { month, time_zone: zone } }) => {
      const { from, to } = monthIn(month, zone);
      const { result, asOf } = await sumPeriod(call.scope, { from, to });
      return {
        from: formatInstant(from),
        to: formatInstant(to),
        totals: result.map(({ unsettled: { count, amount }, ...total }) => ({
          ...presentTotal(total),
          unsettled: { count, amount: amount.toString() },
        })),
        as_of: formatAsOf(asOf),
      };
    }),

  /** The providers whose files the merchant can upload. */
  providers: read.query(({ ctx: { call } }) => listProviders(call.scope)),

  /** What the lines of a file come to. It writes nothing; a mutation, because a file is too long for an address. */
  preview: memberProcedure("upload_settlements")
    .input(upload)
    .mutation(async ({ ctx: { call }, input }) => {
      const { lines, unsettled, from, to, digest } = await previewUpload(call, input);
      return {
        from: formatInstant(from),
        to: formatInstant(to),
        lines: lines.map(presentUploaded),
        /** Movements of the period that no file settles; each opens an exception. */
        unsettled: unsettled.length,
        digest,
      };
    }),

  /** Stores a file as it was previewed. */
  upload: memberProcedure("upload_settlements")
    .input(upload.extend({ digest: z.string().max(64) }))
    .mutation(async ({ ctx: { call }, input }) => {
      const { fileId, exceptionsOpened, exceptionsResolved } = await storeUpload(call, input);
      return { id: fileId, exceptions_opened: exceptionsOpened, exceptions_resolved: exceptionsResolved };
    }),
});
