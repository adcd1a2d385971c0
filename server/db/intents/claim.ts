// Owns the statement by which a worker takes what is due.
import { aheadOf } from "../merchant-time";

/**
 * Takes up to $1 due rows, and as many of merchants whose clock was moved, for $2 ms of real time, none of the
 * providers $3. By the database's clock
 * what is due is one range of the index of due rows, whoever's it is; by moved clocks, one range per merchant of an index
 * that has test rows only. Gives the columns, and as `at_ms` the merchant's time in ms since 1970.
 */
export function claimStatement(table: string, columns: string): string {
  const ahead = aheadOf("t");
  return `
    UPDATE ${table} t SET due_at = now() + ${ahead} + $2 * interval '1 millisecond'
    WHERE (merchant_id, id) IN (
        (SELECT merchant_id, id FROM ${table} WHERE due_at <= now() AND provider <> ALL($3::text[])
         ORDER BY due_at LIMIT $1)
        UNION
        (SELECT due.merchant_id, due.id FROM sandbox_clock c CROSS JOIN LATERAL (
           SELECT merchant_id, id FROM ${table} d
           WHERE d.merchant_id = c.merchant_id AND environment = 'test'
             AND due_at <= now() + c.offset_ms * interval '1 millisecond' AND provider <> ALL($3::text[])
           ORDER BY due_at LIMIT $1) due
         LIMIT $1))
      AND due_at <= now() + ${ahead}
    RETURNING ${columns}, (extract(epoch FROM now() + ${ahead}) * 1000)::float8 AS at_ms`;
}
