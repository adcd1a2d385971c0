// What our books say of a provider: the movements of the intents that a settlement names, and those it lacks.
import { JOURNAL_KEYS } from "@/server/domain/journal";
import { DECISION_KEYS } from "@/server/domain/ledger";
import type { NamedIntent } from "@/server/domain/reconciliation";
import { LINE_FACTS, missingExternalFact, type UnsettledMovement } from "@/server/domain/reconciliation-exceptions";
import type { Environment, Scope } from "@/server/domain/scope";
import { withoutTakenBack } from "@/server/domain/taken-back";
import { acrossMerchants } from "@/server/platform/reach";
import { inSnapshot } from "../client";
import { listMerchantFencesWithin, type MerchantFence } from "../merchant-fences";
import type { Transaction } from "../transaction";
import type { ImportScope } from "./import";

/** Reasons by which money of an intent moves through its provider; returns and fees are not lines of a settlement. */
const REASONS = "('payment_credit', 'payout_settlement', 'topup_credit', 'late_money', 'amount_mismatch')";

type IntentKind = Exclude<NamedIntent["kind"], "refund">;

/** What the provider owes us is negative in its account, what it paid out for us positive. */
const AMOUNT: Readonly<Record<NamedIntent["kind"], string>> = {
  payment: "-e.amount",
  topup: "-e.amount",
  payout: "e.amount",
  refund: "e.amount",
};
/** The entry is in this provider's account; undivided accounts are from before accounts were kept per provider. */
const IN_CLEARING = `(e.kind = 'provider_clearing:' || $1::text OR (e.kind = 'provider_clearing' AND i.provider = $1))`;
const PREFIXES: Readonly<Record<IntentKind, string>> = { payment: "dord_", payout: "word_", topup: "tuin_" };
const REFUND_PREFIX = "sref_";
const KINDS: readonly IntentKind[] = ["payment", "payout", "topup"];
/** What the facts of exceptions start with that are about a line of a file or about one movement, as SQL texts. */
const OTHER_FACTS = [...LINE_FACTS, missingExternalFact("")].map((start) => `'${start}'`).join(", ");

/** Entries `e` of confirmed journal entries `j` in this provider's account, but for fees and for what its bank transfers moved. */
const BY_HAND = `
  journal_entry j
  JOIN ledger_transaction b
    ON b.merchant_id = j.merchant_id AND b.environment = j.environment AND b.unique_key = '${JOURNAL_KEYS}' || j.id
  JOIN ledger_entry e ON e.merchant_id = b.merchant_id AND e.transaction_id = b.id AND ${IN_CLEARING}
  WHERE j.merchant_id = i.merchant_id AND j.environment = i.environment AND j.state = 'confirmed'
    AND NOT EXISTS (SELECT FROM ledger_entry o
                    WHERE o.merchant_id = b.merchant_id AND o.transaction_id = b.id AND o.kind IN ('fees', 'bank'))`;

/** What operators have corrected of the movement `m` of `t`, since no settlement had it; in the movement's sign. */
const corrected = (kind: NamedIntent["kind"]) => `coalesce((
  SELECT sum(${AMOUNT[kind]}) FROM ${BY_HAND}
    AND j.object_id IN (${kind === "refund" ? "i.payment_id" : "i.id, i.dispatch_reference"})
    AND j.exception_fact = '${missingExternalFact("")}' || t.id AND e.currency = m.currency), 0)`;

/** What they have booked about the intent that is about no line and no movement, by currency; in the movements' sign. */
const booked = (kind: IntentKind) => `
  SELECT e.currency, sum(${AMOUNT[kind]}) AS amount FROM ${BY_HAND} AND j.object_id IN (i.id, i.dispatch_reference)
    AND NOT EXISTS (SELECT FROM unnest(ARRAY[${OTHER_FACTS}]) f WHERE starts_with(j.exception_fact, f))
  GROUP BY e.currency`;

/** Funds of a top-up that were gone, less what a person has restored since, by currency; in the movements' sign. */
const DROPPED = `
  SELECT e.currency, -sum(e.amount) AS amount
  FROM ledger_transaction x JOIN ledger_entry e ON e.merchant_id = x.merchant_id AND e.transaction_id = x.id AND ${IN_CLEARING}
  WHERE x.merchant_id = i.merchant_id AND x.intent_id = i.id
    AND (x.reason = 'funds_dropped' OR starts_with(x.unique_key, '${DECISION_KEYS}funds_dropped:'))
  GROUP BY e.currency`;

/**
 * What a refund of money in suspense moved through its provider, out to the payer: rows `t` of the ledger with their entries `e`.
 * In the books it is a movement of its payment.
 */
const REFUNDED = `
  ledger_transaction t
  JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
    AND e.kind = 'provider_clearing:' || $1::text`;
const IS_OF_REFUND = `t.merchant_id = i.merchant_id AND t.environment = i.environment AND t.unique_key = '${DECISION_KEYS}' || i.fact
  AND i.state IN ('settled', 'returned')`;
/** The movement of the refund `i`. */
const refunded = (columns: string) => `
  SELECT ${columns}, m.amount + ${corrected("refund")} AS amount, m.currency
  FROM ${REFUNDED} CROSS JOIN LATERAL (SELECT e.amount, e.currency) m WHERE ${IS_OF_REFUND}`;

interface MovementRow {
  readonly merchant_id: string;
  readonly intent_id: string;
  readonly transaction_id: string | null;
  readonly amount: string;
  readonly currency: string;
}

interface NamedRow extends MovementRow {
  /** What was taken back of the intent's movements in this currency, in their sign: 0 or less. */
  readonly taken_back: string;
  readonly is_settled: boolean;
  readonly reference: string;
  readonly status: string;
}

/** `merchant` is the parameter of the merchant whose members import; none for the operator. */
const ofMerchant = (merchant: string | null) => (merchant === null ? "" : `AND i.merchant_id = ${merchant}`);

/** What `t` moves through the provider. */
const moves = (kind: IntentKind) => `
  SELECT ${AMOUNT[kind]} AS amount, e.currency FROM ledger_entry e
  WHERE e.merchant_id = t.merchant_id AND e.transaction_id = t.id AND ${IN_CLEARING}`;

/** A line of a file has found the movement `m`. */
const IS_SETTLED = `EXISTS (
           SELECT FROM settlement_line s WHERE s.merchant_id = i.merchant_id AND s.transaction_id = m.id) AS is_settled`;

const named = (kind: IntentKind, merchant: string | null) => `
  SELECT i.merchant_id, i.id AS intent_id, coalesce(i.dispatch_reference, i.id) AS reference, i.status, m.id AS transaction_id,
         m.amount::text, m.currency, (least(coalesce(h.amount, 0), 0) + least(coalesce(d.amount, 0), 0))::text AS taken_back, ${IS_SETTLED}
  FROM ${kind}_intent i
  LEFT JOIN LATERAL (
    SELECT t.id, t.created_at, m.amount + ${corrected(kind)} AS amount, m.currency
    FROM ledger_transaction t JOIN LATERAL (${moves(kind)}) m ON m.amount > 0
    WHERE t.merchant_id = i.merchant_id AND t.intent_id = i.id AND t.reason IN ${REASONS}
  ) m ON true
  LEFT JOIN LATERAL (${booked(kind)}) h ON h.currency = m.currency
  LEFT JOIN LATERAL (${DROPPED}) d ON d.currency = m.currency
  WHERE (i.provider = $1 OR m.id IS NOT NULL) AND i.environment = $2 ${ofMerchant(merchant)}
    AND (i.dispatch_reference = ANY($3::text[]) OR (i.id = ANY($3::text[]) AND i.dispatch_reference IS NULL))
  ORDER BY i.merchant_id, i.id, m.created_at, m.id`;

const namedRefunds = (merchant: string | null) => `
  SELECT i.merchant_id, i.payment_id AS intent_id, i.reference, i.state AS status, m.id AS transaction_id, m.amount::text, m.currency,
         '0' AS taken_back, ${IS_SETTLED}
  FROM suspense_refund i
  LEFT JOIN LATERAL (${refunded("t.id, t.created_at")}) m ON true
  WHERE i.provider = $1 AND i.environment = $2 ${ofMerchant(merchant)} AND i.reference = ANY($3::text[])
    AND i.state NOT IN ('proposed', 'rejected')
  ORDER BY i.merchant_id, i.id`;

/**
 * The provider's intents and refunds of those references, by reference, with what moved for each in the order of booking; only the
 * merchant's where its members import.
 */
export async function findNamedIntentsWithin(
  transaction: Transaction,
  { provider, environment, merchantId: importer }: ImportScope,
  references: readonly string[],
): Promise<Map<string, NamedIntent>> {
  const found = new Map<string, NamedIntent>();
  for (const kind of [...KINDS, "refund"] as const) {
    const prefix = kind === "refund" ? REFUND_PREFIX : PREFIXES[kind];
    const ofKind = references.filter((reference) => reference.startsWith(prefix));
    if (ofKind.length === 0) continue;
    const merchant = importer === null ? null : "$4";
    const sql = kind === "refund" ? namedRefunds(merchant) : named(kind, merchant);
    const values = [provider, environment, ofKind, ...(importer === null ? [] : [importer])];
    const rows = await transaction.query<NamedRow>(sql, ...values);
    const byReference = new Map<string, NamedRow[]>();
    for (const row of rows) byReference.set(row.reference, [...(byReference.get(row.reference) ?? []), row]);
    for (const [reference, ofIntent] of byReference) {
      const [{ merchant_id: merchantId, intent_id: intentId, status }] = ofIntent as [NamedRow];
      const booked = ofIntent.flatMap(({ transaction_id: transactionId, amount, currency, is_settled: isSettled }) =>
        transactionId === null ? [] : [{ transactionId, amount: BigInt(amount), currency, isSettled }],
      );
      const takenBack = new Map(ofIntent.map(({ currency, taken_back: amount }) => [currency, BigInt(amount)]));
      found.set(reference, { merchantId, intentId, kind, status, movements: withoutTakenBack(booked, takenBack) });
    }
  }
  return found;
}

const REFERENCES = [
  ...KINDS.map(
    (kind) => `
  SELECT coalesce(dispatch_reference, id) AS reference FROM ${kind}_intent
  WHERE environment = $1
    AND (dispatch_reference = ANY($2::text[]) OR (id = ANY($2::text[]) AND dispatch_reference IS NULL))`,
  ),
  "SELECT reference FROM suspense_refund WHERE environment = $1 AND reference = ANY($2::text[])",
].join(" UNION ALL ");

/**
 * Which of those references the running work's cell has given to an intent or a refund, whatever its provider is, and the cell's
 * fences at the same moment: what merchants have that close or have left is not found.
 */
export function findReferencesAcrossMerchants(
  environment: Environment,
  references: readonly string[],
): Promise<{ readonly found: readonly string[]; readonly fences: readonly MerchantFence[] }> {
  const find = async (transaction: Transaction) => {
    const fences = await listMerchantFencesWithin(transaction);
    const rows = await transaction.query<{ readonly reference: string }>(REFERENCES, environment, references);
    return { fences, found: rows.map(({ reference }) => reference) };
  };
  return acrossMerchants(() => inSnapshot(find));
}

const moved = (kind: IntentKind, merchant: string | null) => `
  SELECT t.merchant_id, t.intent_id, t.id AS transaction_id, t.created_at, m.amount + ${corrected(kind)} AS amount,
         m.currency, ${kind === "payout"} AS is_outgoing
  FROM ledger_transaction t
  JOIN ${kind}_intent i ON i.merchant_id = t.merchant_id AND i.id = t.intent_id
  JOIN LATERAL (${moves(kind)}) m ON m.amount > 0
  WHERE t.environment = $2 AND t.created_at >= $3::timestamptz AND t.created_at < $4::timestamptz
    AND t.reason IN ${REASONS} ${ofMerchant(merchant)}`;

const movedRefunds = (merchant: string | null) => `
  SELECT m.merchant_id, m.intent_id, m.id, m.created_at, m.amount, m.currency, true
  FROM suspense_refund i CROSS JOIN LATERAL (${refunded("t.merchant_id, t.intent_id, t.id, t.created_at, t.environment")}) m
  WHERE i.provider = $1 AND m.environment = $2 AND m.created_at >= $3::timestamptz AND m.created_at < $4::timestamptz
    ${ofMerchant(merchant)}`;

const unsettled = (merchant: string | null) => `
  FROM (${[...KINDS.map((kind) => moved(kind, merchant)), movedRefunds(merchant)].join(" UNION ALL ")}) m
  LEFT JOIN settlement_line s ON s.merchant_id = m.merchant_id AND s.transaction_id = m.transaction_id
  WHERE s.transaction_id IS NULL AND m.amount > 0`;

/**
 * What moved through the provider in the period, its end excluded, and is settled by no line of any file; only the
 * merchant's where its members import.
 */
export async function findUnsettledWithin(
  transaction: Transaction,
  { provider, environment, merchantId: importer }: ImportScope,
  period: { readonly from: Date; readonly to: Date },
): Promise<UnsettledMovement[]> {
  type Row = MovementRow & { readonly transaction_id: string; readonly created_at: Date };
  const rows = await transaction.query<Row>(
    `SELECT m.merchant_id, m.intent_id, m.transaction_id, m.created_at, m.amount::text, m.currency
     ${unsettled(importer === null ? null : "$5")} ORDER BY m.created_at, m.transaction_id`,
    provider,
    environment,
    period.from,
    period.to,
    ...(importer === null ? [] : [importer]),
  );
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    intentId: row.intent_id,
    transactionId: row.transaction_id,
    amount: BigInt(row.amount),
    currency: row.currency,
    bookedAt: row.created_at,
  }));
}

/** What moved through a provider in one currency and is settled by no line; minor units, below zero for what left. */
export interface UnsettledSum {
  readonly currency: string;
  readonly count: number;
  readonly amount: bigint;
}

/** The sums of what findUnsettledWithin finds for a merchant. */
export async function sumUnsettledWithin(
  transaction: Transaction,
  { merchantId, environment }: Scope,
  provider: string,
  period: { readonly from: Date; readonly to: Date },
): Promise<UnsettledSum[]> {
  const rows = await transaction.query<Omit<UnsettledSum, "amount"> & { readonly amount: string }>(
    `SELECT m.currency, count(*)::int AS count,
            sum(CASE WHEN m.is_outgoing THEN -m.amount ELSE m.amount END)::text AS amount
     ${unsettled("$5")} GROUP BY m.currency`,
    provider,
    environment,
    period.from,
    period.to,
    merchantId,
  );
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}
