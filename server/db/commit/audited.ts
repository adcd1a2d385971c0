// What the audit entry of an intent's change says of its row and of the ledger beyond status and revision.
import { type CoveredTransaction, transactionText } from "@/server/domain/audit-cover";
import type { Scope } from "@/server/domain/scope";
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
  const stored = row as Values;
  const values = personalColumns.map((column) => textOf(stored[column] ?? null));
  if (values.every((value) => value === null)) return null;
  return JSON.stringify([stored.merchant_id, stored.id, ...values]);
}

/** A column's value as text; JSON as the database keeps it, where a member that is undefined is none. */
function textOf(value: unknown): string | null {
  if (value === null || typeof value === "string") return value;
  return canonicalJson(JSON.parse(JSON.stringify(value)));
}

/** What a new intent is about: every column fixed at its creation, the personal ones as one keyed digest. */
export function creationFacts(mapping: AuditedMapping, row: object): Values {
  const { fixedColumns, personalColumns, rotatingColumns } = mapping;
  const stored = row as Values;
  const facts: Record<string, unknown> = {};
  for (const column of fixedColumns) {
    const isShown = !personalColumns.includes(column) && !rotatingColumns.includes(column);
    if (isShown) facts[column] = stored[column] ?? null;
  }
  const personal = personalText(mapping, row);
  if (personal !== null) facts[PERSONAL] = keyedDigest(keyRing(), "audit-facts", personal);
  return facts;
}

/** The text of the payer's instructions in a row that their keyed digest is taken over; null where there are none. */
export function instructionsText(row: object): string | null {
  const stored = row as Values;
  const text = textOf(stored.next_action ?? null);
  return text === null ? null : JSON.stringify(["next_action", stored.merchant_id, stored.id, text]);
}

/** The digest of the payer's instructions, which may hold account numbers; no member for a kind without instructions. */
export function coveredInstructions(row: object): Values {
  if (!("next_action" in row)) return {};
  const text = instructionsText(row);
  return { next_action: text === null ? null : keyedDigest(keyRing(), "audit-facts", text) };
}

/** SHA-256, hex, over a ledger transaction. */
export function transactionDigest(transaction: CoveredTransaction): string {
  return sha256Hex(transactionText(transaction));
}

/** One digest per ledger transaction of a commit, in the order of their places; there is always a list. */
export function ledgerDigests(
  booked: readonly Omit<CoveredTransaction, keyof Scope | "createdAt">[],
  scope: Scope,
  createdAt: Date,
): string[] {
  return booked.map((transaction) => transactionDigest({ ...transaction, ...scope, createdAt }));
}
