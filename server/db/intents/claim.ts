// The statement by which a worker claims due rows.
import { aheadOf } from "../merchant-time";

/** How many intents of each provider a worker can begin at once. */
export interface ProviderCapacity {
  /** Of a provider that `left` does not name. */
  readonly perProvider: number;
  /** What is left at providers that the worker is busy with. */
  readonly left: Readonly<Record<string, number>>;
}

/**
 * Takes due rows for $2 ms of real time: of the first $1, and as many of merchants whose clock was moved, those for whose
 * provider there is room, by $3 (jsonb, room left by provider) and else $4. By the database's clock what is due is one range
 * of the index of due rows, across merchants; by moved clocks, one range per merchant of an index that has test rows only.
 * Returns the columns, and as `at_ms` the merchant's time in ms since 1970.
 */
export function claimStatement(table: string, columns: string): string {
  const ahead = aheadOf("t");
  const room = "coalesce(($3::jsonb->>provider)::int, $4::int)";
  return `
    UPDATE ${table} t SET due_at = now() + ${ahead} + $2 * interval '1 millisecond'
    WHERE (merchant_id, id) IN (
        SELECT merchant_id, id FROM (
          SELECT merchant_id, id, provider, row_number() OVER (PARTITION BY provider ORDER BY due_at) AS place FROM (
            (SELECT merchant_id, id, provider, due_at FROM ${table} WHERE due_at <= now() AND ${room} > 0
             ORDER BY due_at LIMIT $1)
            UNION
            (SELECT due.merchant_id, due.id, due.provider, due.due_at FROM sandbox_clock c CROSS JOIN LATERAL (
               SELECT merchant_id, id, provider, due_at FROM ${table} d
               WHERE d.merchant_id = c.merchant_id AND environment = 'test'
                 AND due_at <= now() + c.offset_ms * interval '1 millisecond' AND ${room} > 0
               ORDER BY due_at LIMIT $1) due
             LIMIT $1)) due) placed
        WHERE place <= ${room})
      AND due_at <= now() + ${ahead}
    RETURNING ${columns}, (extract(epoch FROM now() + ${ahead}) * 1000)::float8 AS at_ms`;
}
