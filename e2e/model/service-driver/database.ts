// What the driver reads from the service's database: whether an intent is at rest, its amounts, exceptions and events.
import { Pool } from "pg";
import type { SetAside } from "../oracle/callbacks";

export interface Booked {
  readonly kind: string;
  readonly currency: string;
  readonly amount: string;
}

export interface Row {
  readonly status: string;
  /** The reference of the intent at its provider. */
  readonly reference: string;
  /** When the worker polls next, or when its claim ends; null if the worker has finished with the intent. */
  readonly due_at: string | null;
  /** How far the merchant's clock is before `due_at`, in ms. */
  readonly due_in_ms: number | null;
  /** Callbacks of `callbackIds` that have no result yet. */
  readonly unapplied: number;
}

export class ServiceDatabase {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool({ connectionString: url, max: 10 });
    // The service stops before the last connection is returned.
    this.#pool.on("error", () => undefined);
  }

  async rowOf(table: string, id: string, callbackIds: readonly string[]): Promise<Row> {
    const { rows } = await this.#pool.query<Row>(
      `SELECT i.status, coalesce(i.dispatch_reference, i.id) AS reference, i.due_at::text AS due_at,
         (extract(epoch FROM i.due_at - now()) * 1000 - coalesce(c.offset_ms, 0))::float8 AS due_in_ms,
         (SELECT count(*) FROM provider_callback WHERE callback_id = ANY($2) AND result IS NULL)::int AS unapplied
       FROM ${table} i LEFT JOIN sandbox_clock c ON c.merchant_id = i.merchant_id AND c.environment = i.environment
       WHERE i.id = $1`,
      [id, callbackIds],
    );
    const [row] = rows;
    if (!row) throw new Error(`no ${table} ${id}`);
    return row;
  }

  /** Makes the next retry of callbacks due. Retries follow the database clock, which no test clock moves. */
  async hastenRetries(callbackIds: readonly string[]): Promise<void> {
    await this.#pool.query(
      "UPDATE provider_callback SET due_at = now() - interval '1 second' WHERE callback_id = ANY($1) AND result IS NULL AND due_at > now()",
      [callbackIds],
    );
  }

  /** As hastenRetries, for all callbacks. Returns false if none is left to retry. */
  async hastenAllRetries(): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      "UPDATE provider_callback SET due_at = now() - interval '1 second' WHERE result IS NULL",
    );
    return (rowCount ?? 0) > 0;
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

  /** Without exceptions about callbacks. */
  async exceptionsOf(id: string): Promise<string[]> {
    const { rows } = await this.#pool.query<{ kind: string }>(
      "SELECT kind FROM exception WHERE object_id = $1 AND kind <> 'unapplied_callback'",
      [id],
    );
    return rows.map(({ kind }) => kind);
  }

  /** The exceptions of callbacks about the objects: intents, references, or the names of callbacks without one. */
  async setAside(objects: readonly string[]): Promise<SetAside> {
    const { rows } = await this.#pool.query<{ object_id: string; n: number }>(
      `SELECT object_id, count(*)::int AS n FROM exception
       WHERE kind = 'unapplied_callback' AND object_id = ANY($1) GROUP BY object_id`,
      [objects],
    );
    return new Map(rows.map(({ object_id, n }) => [object_id, n]));
  }

  /** The number of the provider's callbacks that were put aside with an exception. */
  async setAsideOf(provider: string): Promise<number> {
    const { rows } = await this.#pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM provider_callback WHERE provider = $1 AND result IN ('unreadable', 'unmatched')`,
      [provider],
    );
    return rows[0]?.n ?? 0;
  }

  async eventsOf(id: string): Promise<string[]> {
    const { rows } = await this.#pool.query<{ type: string }>("SELECT type FROM event WHERE intent_id = $1", [id]);
    return rows.map(({ type }) => type);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
