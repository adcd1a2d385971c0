// The queries of the hand-written peers on one connection: creating, reading and listing payments with bare `pg`.
import type { ClientBase } from "pg";
import { announcing, answering, asOne, freshPayment, type Sample, type Statement } from "./rows";

export type Writing = "statements" | "cte";

const names = new Map<string, string>();

/** Equal text is prepared once on each connection. */
function prepared({ text, values }: Statement) {
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return { name, text, values: [...values] };
}

async function inTransaction(client: ClientBase, statements: readonly Statement[]): Promise<void> {
  await client.query("BEGIN");
  try {
    for (const statement of statements) await client.query(prepared(statement));
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** Writes one payment by two durable commits, as Sluice does. Returns its row. */
export async function createPayment(client: ClientBase, sample: Sample, writing: Writing): Promise<object> {
  const rows = freshPayment(sample);
  for (const commit of [announcing(rows), answering(rows)]) {
    if (writing === "cte") await client.query(prepared(asOne(commit)));
    else await inTransaction(client, commit);
  }
  return rows.payment_intent;
}

const COLUMNS = `id, amount, currency, country, environment, status, merchant_reference, payment_method, next_action,
  failure_code, failure_message, created_at, updated_at`;

export interface PaymentRow {
  readonly id: string;
  readonly created_at: Date;
}

export function readStatement(merchantId: string, id: string): Statement {
  const text = `SELECT ${COLUMNS} FROM peer.payment_intent WHERE merchant_id = $1 AND environment = 'test' AND id = $2`;
  return { text, values: [merchantId, id] };
}

export async function readPayment(client: ClientBase, merchantId: string, id: string): Promise<PaymentRow | null> {
  return (await client.query<PaymentRow>(prepared(readStatement(merchantId, id)))).rows[0] ?? null;
}

export interface Position {
  readonly createdAt: string;
  readonly id: string;
}

/** A page of 25 and one more row, after a position. */
export function listStatement(merchantId: string, after: Position | null): Statement {
  const start = after ? "AND (created_at, id) < ($2, $3)" : "";
  const text = `SELECT ${COLUMNS} FROM peer.payment_intent WHERE merchant_id = $1 AND environment = 'test' ${start}
    ORDER BY created_at DESC, id DESC LIMIT 26`;
  return { text, values: after ? [merchantId, after.createdAt, after.id] : [merchantId] };
}

export async function listPayments(client: ClientBase, merchantId: string, after: Position | null) {
  return (await client.query<PaymentRow>(prepared(listStatement(merchantId, after)))).rows;
}
