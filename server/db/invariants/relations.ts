// Relations that several invariants use: all intents, the allowed transitions, the terminal statuses.
import { PAYMENT_TRANSITIONS } from "@/server/domain/payment-transitions";
import { PAYOUT_TRANSITIONS } from "@/server/domain/payout-transitions";
import { TOPUP_TRANSITIONS } from "@/server/domain/topup-transitions";

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>;

const TABLES: Readonly<Record<string, Table>> = {
  payment_intent: PAYMENT_TRANSITIONS,
  payout_intent: PAYOUT_TRANSITIONS,
  topup_intent: TOPUP_TRANSITIONS,
};

/** Initial statuses of each kind; a payout without required approvals starts past the gate. */
const BEGINNINGS: readonly (readonly [kind: string, status: string])[] = [
  ["payment_intent", "processing"],
  ["payout_intent", "requires_approval"],
  ["payout_intent", "processing"],
  ["topup_intent", "requires_payment"],
];

/** Moves of earlier versions, which histories may contain. */
const FORMER_MOVES: readonly (readonly [action: string, from: string, to: string])[] = [
  ["topup_intent.part_payment", "processing", "requires_payment"],
];

/** Returns the text as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function move(action: string, from: string | null, to: string): string {
  return `(${literal(action)}, ${from === null ? "NULL::text" : literal(from)}, ${literal(to)})`;
}

/** Every legal change as (action of its audit entry, from_status, to_status); a creation comes from NULL. */
export const MOVES = `(VALUES ${[
  ...BEGINNINGS.map(([kind, status]) => move(`${kind}.create`, null, status)),
  ...FORMER_MOVES.map(([action, from, to]) => move(action, from, to)),
  ...Object.entries(TABLES).flatMap(([kind, table]) =>
    Object.entries(table).flatMap(([from, row]) =>
      Object.entries(row).map(([trigger, to]) => move(`${kind}.${trigger}`, from, to)),
    ),
  ),
].join(", ")}) AS move(action, from_status, to_status)`;

const terminal = Object.values(TABLES).flatMap((table) =>
  Object.keys(table).filter((status) => Object.keys(table[status] ?? {}).length === 0),
);

/** The terminal statuses of all kinds, as an SQL list. A status terminal for one kind is terminal for all. */
export const TERMINAL = `(${[...new Set(terminal)].map(literal).join(", ")})`;

const SHARED =
  "merchant_id, id, environment, merchant_reference, status, revision, failure_code, failure_message, created_at, " +
  "updated_at, due_at";

/** Intents of every kind. `amount` and `currency` are the wallet's gain or cost; for a top-up, its credit. */
export const INTENTS = `(
  SELECT 'payment_intent' AS kind, ${SHARED}, amount, currency FROM payment_intent
  UNION ALL SELECT 'payout_intent', ${SHARED}, amount, currency FROM payout_intent
  UNION ALL SELECT 'topup_intent', ${SHARED}, credited_amount, destination_currency FROM topup_intent)`;

/** The tables behind INTENTS. */
export const INTENT_TABLES = Object.keys(TABLES);

/** Returns SQL for the revision of an audited state; NULL instead of a failure for anything but a number. */
function revisionOf(state: string): string {
  return `CASE WHEN jsonb_typeof(${state}->'revision') = 'number' THEN (${state}->>'revision')::numeric END`;
}

/** The audit entries of an intent's changes, each with the states before and after it. */
export const HISTORY = `(
  SELECT i.kind, i.merchant_id, i.id, a.id AS audit_id, a.action, a.created_at, a.before IS NULL AS is_first,
         a.before->>'status' AS from_status, ${revisionOf("a.before")} AS from_revision,
         a.before->'failure' AS from_failure,
         a.after->>'status' AS to_status, ${revisionOf("a.after")} AS to_revision, a.after->'failure' AS to_failure
  FROM ${INTENTS} i
  JOIN audit_entry a ON a.merchant_id = i.merchant_id AND a.object_id = i.id AND starts_with(a.action, i.kind || '.'))`;
