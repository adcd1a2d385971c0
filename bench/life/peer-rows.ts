// The rows of a complete life as Sluice wrote them, and the statements by which pgbench writes the same ones.
import type { Database } from "@/e2e/rest/database";
import { computedId, computedNumber } from "../limit/pgbench-script";
import { asOne, insert, type Row, type Statement, update, type Value } from "../peer/rows";
import type { Fate } from "./course";

/** The tables of a life, with the condition on a row `t` of the payment `p`. */
const TABLES = {
  payment_intent: "t.merchant_id = p.merchant_id AND t.id = p.id",
  idempotency_key: "t.merchant_id = p.merchant_id AND t.object_id = p.id",
  idempotency_seal: `(t.merchant_id, t.api_key_id, t.key) IN (
    SELECT merchant_id, api_key_id, key FROM idempotency_key k WHERE k.merchant_id = p.merchant_id AND k.object_id = p.id)`,
  provider_attempt: "t.merchant_id = p.merchant_id AND t.intent_id = p.id",
  audit_entry: "t.merchant_id = p.merchant_id AND t.object_id = p.id",
  audit_link: `t.merchant_id = p.merchant_id AND t.entry_id IN (
    SELECT id FROM audit_entry a WHERE a.merchant_id = p.merchant_id AND a.object_id = p.id)`,
  provider_callback: "t.provider = p.provider AND t.callback_id = 'cb_' || p.dispatch_reference",
  event: "t.merchant_id = p.merchant_id AND t.intent_id = p.id",
  delivery: `t.merchant_id = p.merchant_id AND t.event_id IN (
    SELECT id FROM event e WHERE e.merchant_id = p.merchant_id AND e.intent_id = p.id)`,
  delivery_attempt: `t.merchant_id = p.merchant_id AND t.delivery_id IN (
    SELECT d.id FROM event e JOIN delivery d ON d.merchant_id = e.merchant_id AND d.event_id = e.id
    WHERE e.merchant_id = p.merchant_id AND e.intent_id = p.id)`,
  ledger_transaction: "t.merchant_id = p.merchant_id AND t.intent_id = p.id",
  ledger_entry: `t.merchant_id = p.merchant_id AND t.transaction_id IN (
    SELECT id FROM ledger_transaction l WHERE l.merchant_id = p.merchant_id AND l.intent_id = p.id)`,
  api_log: "t.merchant_id = p.merchant_id AND t.response_body LIKE '%' || p.id || '%'",
} as const;

type Table = keyof typeof TABLES;

export type LifeSample = Readonly<Record<Table, readonly Row[]>>;

/** Written, but not copied: their rows are there before. */
const OTHER_TABLES = ["audit_pending", "audit_chain", "ledger_account"] as const;

/** Creates the peer's tables, with the same columns, checks and indexes, and the rows that lives update. */
export async function makeLifeTables(database: Database): Promise<void> {
  await database.query("CREATE SCHEMA IF NOT EXISTS peer");
  for (const table of [...Object.keys(TABLES), ...OTHER_TABLES])
    await database.query(`CREATE TABLE IF NOT EXISTS peer.${table} (LIKE public.${table} INCLUDING ALL)`);
  for (const table of ["audit_chain", "ledger_account"])
    await database.query(`INSERT INTO peer.${table} SELECT * FROM public.${table}`);
}

const STATUS: Readonly<Record<Fate, string>> = { paid: "succeeded", expired: "expired", declined: "failed" };

/** Reads the rows of a complete life of the fate, of this merchant. */
export async function takeLife(database: Database, merchantId: string, fate: Fate): Promise<LifeSample> {
  const [payment] = await database.query<{ id: string }>(
    "SELECT id FROM payment_intent WHERE merchant_id = $1 AND status = $2 ORDER BY created_at LIMIT 1",
    merchantId,
    STATUS[fate],
  );
  if (!payment) throw new Error(`no payment of the merchant is ${STATUS[fate]}`);
  const read = async ([table, condition]: readonly [string, string]) => {
    const sql = `SELECT to_jsonb(t) AS row FROM payment_intent p JOIN ${table} t ON ${condition}
      WHERE p.merchant_id = $1 AND p.id = $2 ORDER BY to_jsonb(t)->>'id'`;
    return [table, (await database.query<{ row: Row }>(sql, merchantId, payment.id)).map(({ row }) => row)] as const;
  };
  const tables: (readonly [string, readonly Row[]])[] = [];
  for (const table of Object.entries(TABLES)) tables.push(await read(table));
  return Object.fromEntries(tables) as unknown as LifeSample;
}

/** Columns whose values are new in every life, in all rows that have them. */
const IDS: Readonly<Partial<Record<Table, readonly string[]>>> = {
  payment_intent: ["id", "merchant_reference", "dispatch_reference"],
  idempotency_key: ["key"],
  provider_attempt: ["id"],
  audit_entry: ["id"],
  provider_callback: ["callback_id"],
  event: ["id"],
  delivery: ["id"],
  ledger_transaction: ["id", "unique_key"],
  api_log: ["id"],
};

/** Everything up to the last underscore or colon, which the CHECK constraints compare. */
const prefixOf = (id: string): string => id.slice(0, Math.max(id.lastIndexOf("_"), id.lastIndexOf(":")) + 1);

/** The sample with ids that pgbench computes, and sequences that increase. */
export function computedLife(sample: LifeSample): LifeSample {
  const ids = new Map<Value, string>();
  for (const [table, columns] of Object.entries(IDS))
    for (const row of sample[table as Table])
      for (const column of columns) {
        const id = row[column];
        if (typeof id === "string" && !ids.has(id)) ids.set(id, computedId(prefixOf(id).replace(/_$/, ""), ids.size));
      }
  const computed = (row: Row, n: number): Row =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => {
        if (column === "sequence") return [column, computedNumber(n)];
        return [column, typeof value === "string" ? (ids.get(value) ?? value) : value];
      }),
    );
  const tables = Object.entries(sample).map(([table, rows]) => [table, rows.map(computed)] as const);
  return Object.fromEntries(tables) as unknown as LifeSample;
}

function one(life: LifeSample, table: Table): Row {
  const [row] = life[table];
  if (!row) throw new Error(`a life has no row in ${table}`);
  return row;
}

const keyOf = ({ merchant_id, id }: Row): Row => ({ merchant_id: merchant_id ?? "", id: id ?? "" });

function audit(life: LifeSample, n: number): Statement[] {
  const entry = life.audit_entry[n];
  if (!entry) return [];
  const pending = { merchant_id: entry.merchant_id ?? "", entry_id: entry.id ?? "" };
  return [insert("audit_entry", entry), insert("audit_pending", pending)];
}

/** What the answer to the creation showed the payer. */
function shownAction(life: LifeSample): Value {
  const { body } = one(life, "idempotency_seal");
  if (typeof body !== "string") throw new Error("the creation has no stored answer");
  return (JSON.parse(body) as { next_action: object | null }).next_action;
}

/** The intent's row as each commit leaves it; the sample has the last one. */
function intentAt(life: LifeSample, status: "processing" | "requires_action"): Row {
  const intent = one(life, "payment_intent");
  const open = { ...intent, status, due_at: intent.expires_at ?? null, failure_code: null, failure_message: null };
  if (status === "processing") return { ...open, revision: 0, next_action: null };
  return { ...open, revision: 1, next_action: shownAction(life) };
}

function moved(life: LifeSample, to: Row): Statement {
  const { status, revision, next_action, due_at, updated_at, failure_code, failure_message } = to;
  const set = { status, revision, next_action, due_at, updated_at, failure_code, failure_message } as Row;
  return update("payment_intent", set, keyOf(one(life, "payment_intent")));
}

/** What follows from an end: event and delivery, and the ledger's rows if it was paid. */
function ending(life: LifeSample, entry: number): Statement[] {
  const delivery = one(life, "delivery");
  const open = {
    state: "pending",
    attempts: 0,
    step: 0,
    claims: 0,
    due_at: delivery.created_at,
    ended_at: null,
  } as Row;
  return [
    moved(life, one(life, "payment_intent")),
    ...life.ledger_transaction.map((row) => insert("ledger_transaction", row)),
    ...life.ledger_entry.map((row) => insert("ledger_entry", row)),
    ...life.ledger_entry.map(({ merchant_id, environment, currency, kind, amount }) =>
      update("ledger_account", { last_sequence: 1 }, { merchant_id, environment, currency, kind } as Row, {
        balance: Number(amount),
      }),
    ),
    insert("event", one(life, "event")),
    insert("delivery", { ...delivery, ...open }),
    ...audit(life, entry),
  ];
}

/** The commits of a life, each as one statement. Sluice shares most of them among lives of the same moment. */
export function lifeCommits(life: LifeSample, fate: Fate): Statement[] {
  const attempt = one(life, "provider_attempt");
  const started = { state: "started", outcome: null, answered_at: null, provider_reference: null, provider_code: null };
  const { state, outcome, answered_at, provider_reference } = attempt;
  const answered = update(
    "provider_attempt",
    { state, outcome, answered_at, provider_reference } as Row,
    keyOf(attempt),
  );
  const delivery = one(life, "delivery");
  const { attempts, step, claims, due_at, ended_at } = delivery;
  const link = life.audit_link.map((row) => insert("audit_link", row));
  const unlinked = life.audit_entry.map(({ merchant_id, id }) => ({
    text: "DELETE FROM peer.audit_pending WHERE merchant_id = $1 AND entry_id = $2",
    values: [merchant_id ?? "", id ?? ""],
  }));
  const chain = update("audit_chain", {}, { merchant_id: delivery.merchant_id ?? "" }, { last_sequence: 3 });
  const commits: Statement[][] = [
    [
      insert("idempotency_key", one(life, "idempotency_key")),
      insert("payment_intent", intentAt(life, "processing")),
      insert("provider_attempt", { ...attempt, ...started }),
      ...audit(life, 0),
    ],
    [
      ...(fate === "declined" ? ending(life, 1) : [moved(life, intentAt(life, "requires_action")), ...audit(life, 1)]),
      answered,
      insert("idempotency_seal", one(life, "idempotency_seal")),
    ],
    ...callbackCommits(life),
    ...(fate === "expired" ? [[moved(life, intentAt(life, "requires_action"))]] : []),
    ...(fate === "declined" ? [] : [ending(life, 2)]),
    [update("delivery", { in_flight: true, claims: 1, due_at: delivery.created_at } as Row, keyOf(delivery))],
    [
      update(
        "delivery",
        { state: delivery.state, attempts, step, claims, due_at, ended_at, in_flight: false } as Row,
        keyOf(delivery),
      ),
      insert("delivery_attempt", one(life, "delivery_attempt")),
    ],
    [chain, ...unlinked, ...link],
    life.api_log.map((row) => insert("api_log", row)),
  ];
  return commits.filter((commit) => commit.length > 0).map(asOne);
}

/** Received, claimed, ended. */
function callbackCommits(life: LifeSample): Statement[][] {
  const [callback] = life.provider_callback;
  if (!callback) return [];
  const { provider, callback_id, applied_at, result } = callback;
  const key = { provider, callback_id } as Row;
  const waiting = { due_at: callback.received_at, applied_at: null, result: null, attempts: 0 } as Row;
  return [
    [insert("provider_callback", { ...callback, ...waiting })],
    [update("provider_callback", { due_at: callback.received_at, attempts: 1 } as Row, key)],
    [update("provider_callback", { due_at: null, applied_at, result } as Row, key)],
  ];
}
