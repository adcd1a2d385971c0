// Audits exported files: who took which rows out.
import { actOf, recordEvent } from "@/server/db/audit/record";
import type { CallContext } from "@/server/domain/scope";

export interface ExportEnd {
  /** Rows sent, without the header. */
  readonly rows: number;
  /** False if the reader left or reading failed. */
  readonly isComplete: boolean;
}

/** Records an export before its first row is sent. Filters are those of its address. */
export function recordExport(
  context: CallContext,
  kind: string,
  filters: Readonly<Record<string, string>>,
): Promise<void> {
  return record(context, "export.begin", { kind, filters });
}

/** Records how many rows an export sent. */
export function recordExportEnd(context: CallContext, kind: string, { rows, isComplete }: ExportEnd): Promise<void> {
  return record(context, "export.end", { kind, rows, complete: isComplete });
}

function record(context: CallContext, action: string, after: Readonly<Record<string, unknown>>): Promise<void> {
  const { merchantId, environment } = context.scope;
  return recordEvent(
    { merchantId, environment, action, objectId: context.actor.id, before: null, after },
    actOf(context),
  );
}
