// The rows of settlement lines: what a provider reported, once however many files repeat it, and what it came to.
import type { JudgedLine, KnownLine } from "@/server/domain/reconciliation";
import type { SettlementLine } from "@/server/domain/settlement-line";
import { acrossMerchants } from "@/server/platform/reach";
import { inSnapshot, queryAcrossMerchants } from "../client";
import type { Transaction } from "../transaction";
import type { ImportScope } from "./import";

const CHUNK = 5_000;

interface Row {
  readonly digest: string;
  readonly line_id: string;
  readonly verdict: KnownLine["verdict"];
  readonly why: string | null;
  readonly merchant_id: string | null;
  readonly transaction_id: string | null;
  readonly is_imported: boolean;
}

type LineName = Pick<SettlementLine, "lineId" | "reference">;

/**
 * What earlier imports have stored of those lines, of others under their ids, and of others about their intents; only the
 * merchant's where its members import.
 */
export async function findKnownLinesWithin(
  transaction: Transaction,
  { provider, environment, merchantId: importer }: ImportScope,
  lines: readonly LineName[],
): Promise<KnownLine[]> {
  const rows = await transaction.query<Row>(
    `SELECT l.digest, l.line_id, l.verdict, l.why, l.merchant_id, l.transaction_id, l.is_imported
     FROM settlement_line l
     WHERE l.provider = $1 AND l.environment = $2 AND (l.line_id = ANY($3::text[]) OR l.reference = ANY($4::text[]))
       ${importer === null ? "" : "AND l.merchant_id = $5"}`,
    provider,
    environment,
    lines.map(({ lineId }) => lineId),
    lines.flatMap(({ reference }) => reference ?? []),
    ...(importer === null ? [] : [importer]),
  );
  return rows.map((row) => ({
    digest: row.digest,
    lineId: row.line_id,
    verdict: row.verdict,
    why: row.why,
    merchantId: row.merchant_id,
    transactionId: row.transaction_id,
    isOfAnotherImporter: importer === null && !row.is_imported,
  }));
}

/** The same in the running work's cell, in a transaction of its own. */
export function findKnownLinesAcrossMerchants(
  scope: ImportScope,
  lines: readonly LineName[],
): Promise<readonly KnownLine[]> {
  return acrossMerchants(() => inSnapshot((transaction) => findKnownLinesWithin(transaction, scope, lines)));
}

/** The kind of a line, and the reference that it names; null if the running work's cell has no line of that digest. */
export async function findSubjectAcrossMerchants(
  { provider, environment }: ImportScope,
  digest: string,
): Promise<Pick<SettlementLine, "kind" | "reference"> | null> {
  const [line] = await queryAcrossMerchants<Pick<SettlementLine, "kind" | "reference">>(
    "SELECT kind, reference FROM settlement_line WHERE provider = $1 AND environment = $2 AND digest = $3",
    provider,
    environment,
    digest,
  );
  return line ?? null;
}

const STORE = `
  INSERT INTO settlement_line (provider, environment, digest, file_id, row, line_id, kind, reference,
    provider_reference, amount, currency, fee, settled_at, verdict, why, merchant_id, transaction_id, is_imported)
  SELECT $1, $2, digest, $3, row, line_id, kind, reference, provider_reference, amount, currency, fee, settled_at,
         verdict, why, merchant_id, transaction_id, $5
  FROM jsonb_to_recordset($4::jsonb) AS l(
    digest text, row int, line_id text, kind text, reference text, provider_reference text, amount numeric,
    currency text, fee numeric, settled_at timestamptz, verdict text, why text, merchant_id text, transaction_id text)
  ON CONFLICT (provider, environment, digest) DO UPDATE
  SET verdict = excluded.verdict, why = excluded.why, merchant_id = excluded.merchant_id,
      transaction_id = excluded.transaction_id, is_imported = settlement_line.is_imported OR excluded.is_imported`;

/** Stores lines that are new, and what has become of those that our books lacked before. No two may say the same. */
export async function storeLinesWithin(
  transaction: Transaction,
  { provider, environment, merchantId: importer }: ImportScope,
  fileId: string,
  lines: readonly JudgedLine[],
): Promise<void> {
  for (let start = 0; start < lines.length; start += CHUNK) {
    const rows = lines.slice(start, start + CHUNK).map(({ line, verdict, why, merchantId, transactionId }) => ({
      digest: line.digest,
      row: line.row,
      line_id: line.lineId,
      kind: line.kind,
      reference: line.reference,
      provider_reference: line.providerReference,
      amount: line.amount.toString(),
      currency: line.currency,
      fee: line.fee.toString(),
      settled_at: line.settledAt,
      verdict,
      why,
      merchant_id: merchantId,
      transaction_id: transactionId,
    }));
    await transaction.query(STORE, provider, environment, fileId, JSON.stringify(rows), importer === null);
  }
}
