// Settlement files as members of a merchant see them: those with lines of theirs, and these lines.

import { findIntentNames, type IntentNames } from "@/server/db/intent-names";
import {
  findFileOf,
  type LinePlace,
  listFilesOf,
  listLinesOf,
  type MerchantFile,
  type MerchantLine,
} from "@/server/db/reconciliation/of-merchant";
import { ServiceError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import type { LineVerdict } from "@/server/domain/settlement-line";
import { isId } from "@/server/platform/ids";
import type { Page, PagePosition } from "../page";

export type { LinePlace, MerchantFile, MerchantLine } from "@/server/db/reconciliation/of-merchant";
export { listProvidersOf as listProviders } from "@/server/db/reconciliation/of-merchant";
export type { SettlementTotal } from "@/server/db/reconciliation/totals";

/** At most `limit` files after the position, the last imported first. */
export async function listSettlementFiles(
  scope: Scope,
  after: PagePosition | null,
  limit: number,
): Promise<Page<MerchantFile & { readonly createdAt: Date }>> {
  const found = await listFilesOf(scope, after, limit + 1);
  const files = found.slice(0, limit).map((file) => ({ ...file, createdAt: file.importedAt }));
  return { rows: files, hasMore: found.length > limit };
}

export interface NamedLine extends MerchantLine {
  /** What people know its intent by; null if it names none of the merchant's. */
  readonly names: IntentNames | null;
}

export interface FileLines {
  readonly file: MerchantFile;
  readonly lines: readonly NamedLine[];
  /** Where the next page begins; null after the last. */
  readonly next: LinePlace | null;
}

/**
 * One file with at most `limit` of the merchant's lines after the place, of one verdict where it is named. Throws
 * not_found for a file without a line of theirs.
 */
export async function readSettlementFile(
  scope: Scope,
  { id, verdict }: { readonly id: string; readonly verdict?: LineVerdict | undefined },
  after: LinePlace | null,
  limit: number,
): Promise<FileLines> {
  const file = isId("settlementFile", id) ? await findFileOf(scope, id) : null;
  if (!file) throw new ServiceError("not_found", "There is no such settlement file.");
  const found = await listLinesOf(scope, file, verdict, after, limit + 1);
  const shown = found.slice(0, limit);
  const names = await findIntentNames(
    scope,
    shown.flatMap(({ intentId }) => intentId ?? []),
  );
  const lines = shown.map((line) => ({ ...line, names: names.get(line.intentId ?? "") ?? null }));
  const last = lines.at(-1);
  return { file, lines, next: found.length > limit && last ? { verdict: last.verdict, row: last.row } : null };
}
