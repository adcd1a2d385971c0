// The rows of one payment as Sluice writes them, and statements that write the same rows for the baselines.
import { readFileSync, writeFileSync } from "node:fs";
import type { Database } from "@/e2e/rest/database";

export type Value = string | number | boolean | null | object;
export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

/** The rows of one payment after its two commits. */
export interface Sample {
  readonly payment_intent: Row;
  readonly idempotency_key: Row;
  readonly idempotency_seal: Row;
  readonly provider_attempt: Row;
  readonly audits: readonly [created: Row, answered: Row];
}

/** The tables that a create writes. The peers have them without triggers and foreign keys, in a separate schema. */
const TABLES = [
  "payment_intent",
  "idempotency_key",
  "idempotency_seal",
  "provider_attempt",
  "audit_entry",
  "audit_pending",
] as const;

/** Creates the peers' tables with the same columns, checks and indexes as Sluice's. */
export async function makePeerTables(database: Database): Promise<void> {
  await database.query("CREATE SCHEMA IF NOT EXISTS peer");
  for (const table of TABLES)
    await database.query(`CREATE TABLE IF NOT EXISTS peer.${table} (LIKE public.${table} INCLUDING ALL)`);
}

/** Reads the rows that Sluice wrote for a payment created with an Idempotency-Key. */
export async function takeSample(database: Database, intentId: string): Promise<Sample> {
  const rows = async (table: string, where: string, order = "1") => {
    const sql = `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${where} ORDER BY ${order}`;
    return (await database.query<{ row: Row }>(sql, intentId)).map(({ row }) => row);
  };
  const key = "(merchant_id, api_key_id, key) = (SELECT merchant_id, api_key_id, key FROM idempotency_key";
  const [payment_intent] = await rows("payment_intent", "id = $1");
  const [idempotency_key] = await rows("idempotency_key", "object_id = $1");
  const [idempotency_seal] = await rows("idempotency_seal", `${key} WHERE object_id = $1)`);
  const [provider_attempt] = await rows("provider_attempt", "intent_id = $1");
  const [created, answered] = await rows("audit_entry", "object_id = $1", "t.id");
  if (!payment_intent || !idempotency_key || !idempotency_seal || !provider_attempt || !created || !answered)
    throw new Error(`the rows of ${intentId} are not what a creation writes`);
  return { payment_intent, idempotency_key, idempotency_seal, provider_attempt, audits: [created, answered] };
}

export function saveSample(path: string, sample: Sample): void {
  writeFileSync(path, JSON.stringify(sample));
}

export function loadSample(path: string): Sample {
  return JSON.parse(readFileSync(path, "utf8")) as Sample;
}

let made = 0;

/** Text as long as our ids, and increasing with time as they do. */
function freshId(prefix: string): string {
  made += 1;
  const random = Math.floor(Math.random() * 0x1_0000_0000).toString(16);
  return `${prefix}_${Date.now().toString(16)}${made.toString(16).padStart(7, "0")}${random.padStart(8, "0")}`;
}

/** The sample with new ids, key and references. `idOf` makes them; the ordinal distinguishes those of one payment. */
export function freshPayment(sample: Sample, idOf: (prefix: string, ordinal: number) => string = freshId): Sample {
  const { dispatch_reference: dispatchReference } = sample.payment_intent;
  const ids = new Map<Value, string>([
    [sample.payment_intent.id ?? "", idOf("dord", 0)],
    [sample.payment_intent.merchant_reference ?? "", idOf("order", 1)],
    [sample.idempotency_key.key ?? "", idOf("key", 2)],
    [sample.provider_attempt.id ?? "", idOf("att", 3)],
    [sample.audits[0].id ?? "", idOf("aud", 4)],
    [sample.audits[1].id ?? "", idOf("aud", 5)],
  ]);
  // `dord_`, eight characters of its key, and one that differs.
  if (typeof dispatchReference === "string") ids.set(dispatchReference, idOf(dispatchReference.slice(0, 13), 6));
  const replaced = (row: Row): Row => {
    const copy: Record<string, Value> = {};
    for (const [column, value] of Object.entries(row))
      copy[column] = typeof value === "string" ? (ids.get(value) ?? value) : value;
    return copy;
  };
  return {
    payment_intent: replaced(sample.payment_intent),
    idempotency_key: replaced(sample.idempotency_key),
    idempotency_seal: replaced(sample.idempotency_seal),
    provider_attempt: replaced(sample.provider_attempt),
    audits: [replaced(sample.audits[0]), replaced(sample.audits[1])],
  };
}

const wire = (value: Value | undefined): Value =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null);

export function insert(table: string, row: Row): Statement {
  const columns = Object.keys(row);
  const places = columns.map((_, n) => `$${n + 1}`).join(", ");
  const names = columns.map((column) => `"${column}"`).join(", ");
  return { text: `INSERT INTO peer.${table} (${names}) VALUES (${places})`, values: Object.values(row).map(wire) };
}

/** Sets columns of the row with that key, and adds to others. */
export function update(table: string, set: Row, key: Row, add: Readonly<Record<string, number>> = {}): Statement {
  const values: Value[] = [];
  const place = (value: Value | undefined) => `$${values.push(wire(value))}`;
  const changes = [
    ...Object.entries(set).map(([column, value]) => `"${column}" = ${place(value)}`),
    ...Object.entries(add).map(([column, value]) => `"${column}" = "${column}" + ${place(value)}`),
  ];
  const where = Object.entries(key).map(([column, value]) => `"${column}" = ${place(value)}`);
  return { text: `UPDATE peer.${table} SET ${changes.join(", ")} WHERE ${where.join(" AND ")}`, values };
}

function pending(audit: Row): Row {
  return { merchant_id: audit.merchant_id ?? "", entry_id: audit.id ?? "" };
}

/** The first commit: claims the key, inserts the intent and the announced call, with both audit entries. */
export function announcing(rows: Sample): Statement[] {
  const intent = { ...rows.payment_intent, status: "processing", revision: 0, next_action: null };
  const unanswered = { state: "started", outcome: null, answered_at: null, provider_reference: null };
  return [
    insert("idempotency_key", rows.idempotency_key),
    insert("payment_intent", intent),
    insert("provider_attempt", { ...rows.provider_attempt, ...unanswered }),
    insert("audit_entry", rows.audits[0]),
    insert("audit_pending", pending(rows.audits[0])),
  ];
}

/** The second commit: the guarded update, the call's answer, the audit entry and the stored answer. */
export function answering(rows: Sample): Statement[] {
  const { payment_intent: intent, provider_attempt: attempt } = rows;
  return [
    {
      text: `UPDATE peer.payment_intent SET status = $1, revision = 1, next_action = $2, updated_at = $3, due_at = $4
             WHERE merchant_id = $5 AND id = $6 AND status = 'processing' AND revision = 0`,
      values: [intent.status, intent.next_action, intent.updated_at, intent.due_at, intent.merchant_id, intent.id].map(
        wire,
      ),
    },
    {
      text: `UPDATE peer.provider_attempt SET state = $1, outcome = $2, answered_at = $3, provider_reference = $4
             WHERE merchant_id = $5 AND id = $6`,
      values: [
        attempt.state,
        attempt.outcome,
        attempt.answered_at,
        attempt.provider_reference,
        attempt.merchant_id,
        attempt.id,
      ].map(wire),
    },
    insert("audit_entry", rows.audits[1]),
    insert("audit_pending", pending(rows.audits[1])),
    insert("idempotency_seal", rows.idempotency_seal),
  ];
}

/** Several statements as one, each but the last in a WITH. */
export function asOne(statements: readonly Statement[]): Statement {
  const values: Value[] = [];
  const parts = statements.map((statement) => {
    const offset = values.length;
    values.push(...statement.values);
    return statement.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + offset}`);
  });
  const last = parts.pop() ?? "";
  if (parts.length === 0) return { text: last, values };
  return { text: `WITH ${parts.map((part, n) => `s${n} AS (${part})`).join(", ")} ${last}`, values };
}
