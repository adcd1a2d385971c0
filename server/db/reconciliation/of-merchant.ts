// Reading what providers' settlement files say of one merchant: the files that name it, and its lines in one.

import type { Scope } from "@/server/domain/scope";
import type { LineKind, LineVerdict } from "@/server/domain/settlement-line";
import { query } from "../client";
import type { PagePosition } from "../list-start";

export interface MerchantFile {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly from: Date;
  /** Excluded. */
  readonly to: Date;
  readonly importedAt: Date;
  /** The member who uploaded it; null for the operator's. */
  readonly uploadedBy: string | null;
  /** Verdict → how many of the merchant's lines; what the file says of others is not counted. */
  readonly counts: Readonly<Partial<Record<LineVerdict, number>>>;
}

const FILES = `
  SELECT f.id, f.provider, f.name, f.period_from AS "from", f.period_to AS "to", f.imported_at AS "importedAt",
         f.uploaded_by AS "uploadedBy",
         (SELECT jsonb_object_agg(v.verdict, v.count) FROM (
            SELECT verdict, count(*) AS count FROM settlement_line l
            WHERE l.merchant_id = $1 AND l.provider = f.provider AND l.file_id = f.id GROUP BY verdict) v) AS counts
  FROM settlement_file f
  WHERE f.environment = $2 AND (f.uploaded_for IS NULL OR f.uploaded_for = $1)
    AND EXISTS (SELECT FROM settlement_line l WHERE l.merchant_id = $1 AND l.provider = f.provider AND l.file_id = f.id)`;

/** At most `count` files with lines of the merchant after the position, the last imported first. */
export async function listFilesOf(
  { merchantId, environment }: Scope,
  after: PagePosition | null,
  count: number,
): Promise<MerchantFile[]> {
  const start = after ? "AND (f.imported_at, f.id) < ($4::timestamptz, $5)" : "";
  return query<MerchantFile>(
    `${FILES} ${start} ORDER BY f.imported_at DESC, f.id DESC LIMIT $3`,
    merchantId,
    environment,
    count,
    ...(after ? [after.createdAt, after.id] : []),
  );
}

/** The file of that id, if it has lines of the merchant; else null. */
export async function findFileOf({ merchantId, environment }: Scope, id: string): Promise<MerchantFile | null> {
  const [file] = await query<MerchantFile>(`${FILES} AND f.id = $3`, merchantId, environment, id);
  return file ?? null;
}

/** The names of the providers that have moved money of the merchant. */
export async function listProvidersOf({ merchantId, environment }: Scope): Promise<string[]> {
  const rows = await query<{ provider: string }>(
    `SELECT DISTINCT split_part(kind, ':', 2) AS provider FROM ledger_account
     WHERE merchant_id = $1 AND environment = $2 AND starts_with(kind, 'provider_clearing:') ORDER BY 1`,
    merchantId,
    environment,
  );
  return rows.map(({ provider }) => provider);
}

export interface MerchantLine {
  /** Its number in the file. */
  readonly row: number;
  readonly lineId: string;
  readonly kind: LineKind;
  readonly reference: string | null;
  /** The intent that the reference names; null where it names none of the merchant's. */
  readonly intentId: string | null;
  /** Minor units. */
  readonly amount: bigint;
  readonly fee: bigint;
  readonly currency: string;
  /** What our books have, in minor units of its own currency, where the line has another sum; else null. */
  readonly ours: { readonly amount: bigint; readonly currency: string } | null;
  readonly settledAt: Date;
  readonly verdict: LineVerdict;
  readonly why: string | null;
}

/** A place among the lines of a file: they are in the order of verdict, then row. */
export interface LinePlace {
  readonly verdict: LineVerdict;
  readonly row: number;
}

const intentOfLine = (table: string) => `
  (SELECT i.id FROM ${table} i WHERE i.merchant_id = l.merchant_id
     AND (i.dispatch_reference = l.reference OR (i.id = l.reference AND i.dispatch_reference IS NULL)))`;
const INTENT_OF_LINE = `
  CASE left(l.reference, 5) WHEN 'dord_' THEN ${intentOfLine("payment_intent")}
                            WHEN 'word_' THEN ${intentOfLine("payout_intent")}
                            WHEN 'tuin_' THEN ${intentOfLine("topup_intent")}
                            WHEN 'sref_' THEN (SELECT r.payment_id FROM suspense_refund r WHERE r.merchant_id = l.merchant_id
                              AND r.reference = l.reference AND r.state <> 'rejected') END`;

/** The movement that a line with another sum settles: its entry in the provider's account, in the direction of the line. */
const OURS_OF_LINE = `
  LEFT JOIN LATERAL (
    SELECT abs(e.amount)::text AS amount, e.currency FROM ledger_entry e
    WHERE l.verdict = 'amount_mismatch' AND e.merchant_id = l.merchant_id AND e.transaction_id = l.transaction_id
      AND e.kind IN ('provider_clearing', 'provider_clearing:' || l.provider) LIMIT 1
  ) ours ON true`;

type MoneyMember = "amount" | "fee" | "ours";
type LineRow = Omit<MerchantLine, MoneyMember> & {
  readonly amount: string;
  readonly fee: string;
  readonly oursAmount: string | null;
  readonly oursCurrency: string | null;
};

/** At most `count` of the merchant's lines of a file after the place, of one verdict where it is named. */
export async function listLinesOf(
  { merchantId }: Scope,
  { provider, id }: Pick<MerchantFile, "provider" | "id">,
  verdict: LineVerdict | undefined,
  after: LinePlace | null,
  count: number,
): Promise<MerchantLine[]> {
  const values: unknown[] = [merchantId, provider, id, count];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const narrowed = verdict ? `AND verdict = ${parameter(verdict)}` : "";
  const start = after ? `AND (verdict, row) > (${parameter(after.verdict)}, ${parameter(after.row)}::int)` : "";
  const rows = await query<LineRow>(
    `SELECT row, line_id AS "lineId", l.kind, reference, ${INTENT_OF_LINE} AS "intentId", l.amount::text AS amount,
            fee::text AS fee, l.currency, ours.amount AS "oursAmount", ours.currency AS "oursCurrency",
            settled_at AS "settledAt", verdict, why
     FROM settlement_line l ${OURS_OF_LINE}
     WHERE l.merchant_id = $1 AND provider = $2 AND file_id = $3 ${narrowed} ${start}
     ORDER BY verdict, row LIMIT $4`,
    ...values,
  );
  return rows.map(({ amount, fee, oursAmount, oursCurrency, ...line }) => ({
    ...line,
    amount: BigInt(amount),
    fee: BigInt(fee),
    ours: oursAmount !== null && oursCurrency !== null ? { amount: BigInt(oursAmount), currency: oursCurrency } : null,
  }));
}
