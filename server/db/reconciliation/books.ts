// What our books say of a provider: the movements of the intents that a settlement names, and those it lacks.
import type { NamedIntent } from "@/server/domain/reconciliation";
import type { UnsettledMovement } from "@/server/domain/reconciliation-exceptions";
import type { Transaction } from "../transaction";
import type { ImportScope } from "./import";

/** Reasons by which money of an intent moves through its provider; returns and fees are not lines of a settlement. */
const REASONS = "('payment_credit', 'payout_settlement', 'topup_credit', 'late_money', 'amount_mismatch')";

type IntentKind = NamedIntent["kind"];

/** What the provider owes us is negative in its account, what it paid out for us positive. */
const AMOUNT: Readonly<Record<IntentKind, string>> = { payment: "-e.amount", topup: "-e.amount", payout: "e.amount" };
/** The entry is in this provider's account; undivided accounts are from before accounts were kept per provider. */
const IN_CLEARING = `(e.kind = 'provider_clearing:' || $1::text OR (e.kind = 'provider_clearing' AND i.provider = $1))`;
const PREFIXES: Readonly<Record<IntentKind, string>> = { payment: "dord_", payout: "word_", topup: "tuin_" };
const KINDS: readonly IntentKind[] = ["payment", "payout", "topup"];

interface MovementRow {
  readonly merchant_id: string;
  readonly intent_id: string;
  readonly transaction_id: string | null;
  readonly amount: string;
  readonly currency: string;
}

interface NamedRow extends MovementRow {
  readonly reference: string;
  readonly status: string;
}

const named = (kind: IntentKind) => `
  SELECT i.merchant_id, i.id AS intent_id, coalesce(i.dispatch_reference, i.id) AS reference, i.status, m.id AS transaction_id, m.amount::text, m.currency
  FROM ${kind}_intent i
  LEFT JOIN LATERAL (
    SELECT t.id, t.created_at, ${AMOUNT[kind]} AS amount, e.currency
    FROM ledger_transaction t
    JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND ${IN_CLEARING}
    WHERE t.merchant_id = i.merchant_id AND t.intent_id = i.id AND t.reason IN ${REASONS} AND ${AMOUNT[kind]} > 0
  ) m ON true
  WHERE (i.provider = $1 OR m.id IS NOT NULL) AND i.environment = $2
    AND (i.dispatch_reference = ANY($3::text[]) OR (i.id = ANY($3::text[]) AND i.dispatch_reference IS NULL))
  ORDER BY i.merchant_id, i.id, m.created_at, m.id`;

/** The provider's intents of those references, by reference, with what moved for each in the order of booking. */
export async function findNamedIntentsWithin(
  transaction: Transaction,
  { provider, environment }: ImportScope,
  references: readonly string[],
): Promise<Map<string, NamedIntent>> {
  const found = new Map<string, NamedIntent>();
  for (const kind of KINDS) {
    const ofKind = references.filter((reference) => reference.startsWith(PREFIXES[kind]));
    if (ofKind.length === 0) continue;
    const rows = await transaction.query<NamedRow>(named(kind), provider, environment, ofKind);
    for (const { merchant_id: merchantId, intent_id: intentId, reference, status, ...movement } of rows) {
      const movements = [...(found.get(reference)?.movements ?? [])];
      const { transaction_id: transactionId, amount, currency } = movement;
      if (transactionId) movements.push({ transactionId, amount: BigInt(amount), currency });
      found.set(reference, { merchantId, intentId, kind, status, movements });
    }
  }
  return found;
}

const moved = (kind: IntentKind) => `
  SELECT t.merchant_id, t.intent_id, t.id AS transaction_id, t.created_at, ${AMOUNT[kind]} AS amount, e.currency
  FROM ledger_transaction t
  JOIN ${kind}_intent i ON i.merchant_id = t.merchant_id AND i.id = t.intent_id
  JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND ${IN_CLEARING}
  WHERE t.environment = $2 AND t.created_at >= $3::timestamptz AND t.created_at < $4::timestamptz
    AND t.reason IN ${REASONS} AND ${AMOUNT[kind]} > 0`;

const UNSETTLED = `
  SELECT m.merchant_id, m.intent_id, m.transaction_id, m.created_at, m.amount::text, m.currency
  FROM (${KINDS.map(moved).join(" UNION ALL ")}) m
  LEFT JOIN settlement_line s ON s.merchant_id = m.merchant_id AND s.transaction_id = m.transaction_id
  WHERE s.transaction_id IS NULL
  ORDER BY m.created_at, m.transaction_id`;

/** What moved through the provider in the period, its end excluded, and is settled by no line of any file. */
export async function findUnsettledWithin(
  transaction: Transaction,
  { provider, environment }: ImportScope,
  period: { readonly from: Date; readonly to: Date },
): Promise<UnsettledMovement[]> {
  type Row = MovementRow & { readonly transaction_id: string; readonly created_at: Date };
  const rows = await transaction.query<Row>(UNSETTLED, provider, environment, period.from, period.to);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    intentId: row.intent_id,
    transactionId: row.transaction_id,
    amount: BigInt(row.amount),
    currency: row.currency,
    bookedAt: row.created_at,
  }));
}
