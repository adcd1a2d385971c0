// What the audit entry of an intent's change says of its row and of the ledger beyond status and revision.
import { type CoveredTransaction, transactionText } from "@/server/domain/audit-cover";
import { canonicalJson } from "@/server/platform/canonical-json";
import { keyedDigest, sha256Hex } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import type { RowMapping } from "../intents/row";

/** The columns of a kind of intent as the audit log takes them. */
export type AuditedMapping = Pick<RowMapping<never, never>, "fixedColumns" | "personalColumns" | "rotatingColumns">;

type Values = Readonly<Record<string, unknown>>;

/** The member of the facts that stands for all personal columns. */
export const PERSONAL = "personal";

/** The text of a row's personal columns that their keyed digest is taken over; null where all of them are empty. */
export function personalText({ personalColumns }: AuditedMapping, row: object): string | null {
  const stored: Values = { ...row };
  const values = personalColumns.map((column) => stored[column] ?? null);
  if (values.every((value) => value === null)) return null;
  // Through JSON once, as the database stores it: a member that is undefined is none.
  return canonicalJson(JSON.parse(JSON.stringify([stored.merchant_id, stored.id, ...values])));
}

/** What a new intent is about: every column fixed at its creation, the personal ones as one keyed digest. */
export function creationFacts(mapping: AuditedMapping, row: object): Values {
  const { fixedColumns, personalColumns, rotatingColumns } = mapping;
  const stored: Values = { ...row };
  const facts: Record<string, unknown> = {};
  for (const column of fixedColumns) {
    if (!personalColumns.includes(column) && !rotatingColumns.includes(column)) facts[column] = stored[column] ?? null;
  }
  const personal = personalText(mapping, row);
  facts[PERSONAL] = personal === null ? null : keyedDigest(keyRing(), "audit-facts", personal);
  return facts;
}

/** SHA-256, hex, over a ledger transaction. */
export function transactionDigest(transaction: CoveredTransaction): string {
  return sha256Hex(transactionText(transaction));
}
