// What the driver reads in the service's database: sums, exceptions and events of one intent, and whether it is at rest.
import { Pool } from "pg";

export interface Booked {
  readonly kind: string;
  readonly currency: string;
  readonly amount: string;
}

export interface Row {
  readonly status: string;
  readonly revision: number;
  /** By how much the merchant's clock is before the time at which the worker looks again, in ms; null: never. */
  readonly due_in_ms: number | null;
}

export class ServiceDatabase {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool({ connectionString: url, max: 8 });
    // The service is ended before the last connection is given back.
    this.#pool.on("error", () => undefined);
  }

  async rowOf(table: string, id: string): Promise<Row> {
    const { rows } = await this.#pool.query<Row>(
      `SELECT i.status, i.revision, (extract(epoch FROM i.due_at - now()) * 1000 - coalesce(c.offset_ms, 0))::float8 AS due_in_ms
       FROM ${table} i LEFT JOIN sandbox_clock c ON c.merchant_id = i.merchant_id AND c.environment = i.environment
       WHERE i.id = $1`,
      [id],
    );
    const [row] = rows;
    if (!row) throw new Error(`no ${table} ${id}`);
    return row;
  }

  async unapplied(callbackIds: readonly string[]): Promise<number> {
    const { rows } = await this.#pool.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM provider_callback WHERE callback_id = ANY($1) AND applied_at IS NULL",
      [callbackIds],
    );
    return rows[0]?.n ?? 0;
  }

  async bookedFor(id: string): Promise<Booked[]> {
    const { rows } = await this.#pool.query<Booked>(
      `SELECT e.kind, e.currency, sum(e.amount)::text AS amount
       FROM ledger_transaction t JOIN ledger_entry e ON (e.merchant_id, e.transaction_id) = (t.merchant_id, t.id)
       WHERE t.intent_id = $1 GROUP BY e.kind, e.currency`,
      [id],
    );
    return rows;
  }

  async exceptionsOf(id: string): Promise<string[]> {
    const { rows } = await this.#pool.query<{ kind: string }>("SELECT kind FROM exception WHERE object_id = $1", [id]);
    return rows.map(({ kind }) => kind);
  }

  async eventsOf(id: string): Promise<string[]> {
    const { rows } = await this.#pool.query<{ type: string }>("SELECT type FROM event WHERE intent_id = $1", [id]);
    return rows.map(({ type }) => type);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
