// The statement by which a worker claims due rows.
import { aheadOf } from "../merchant-time";

/** How many intents of each provider a worker can begin at once. */
export interface ProviderCapacity {
  /** Of a provider that `left` does not name. */
  readonly perProvider: number;
  /** What is left at providers that the worker is busy with. */
  readonly left: Readonly<Record<string, number>>;
}

/** Rows that wait for a provider alone, in a table where most wait for payers: they take turns with those. */
const PROCESSING = "status = 'processing'";

interface ClaimOptions {
  /** Whether some rows of the table wait for payers, so that they are asked about again and again. */
  readonly awaitsPayers: boolean;
}

/**
 * Takes due rows for $2 ms of real time: of the first $1, and as many of merchants whose clock was moved, those for whose
 * provider there is room, by $3 (jsonb, room left by provider) and else $4. By the database's clock what is due is one range
 * of the index of due rows, across merchants; by moved clocks, one range per merchant of an index that has test rows only.
 * Where payers are awaited, also of the first $1 that wait for a provider alone: however many polls about payers are late,
 * each provider's room is shared by both in turn. Returns the columns, and as `at_ms` the merchant's time in ms since 1970.
 */
export function claimStatement(table: string, columns: string, { awaitsPayers }: ClaimOptions): string {
  const ahead = aheadOf("t");
  const room = "coalesce(($3::jsonb->>provider)::int, $4::int)";
  const kind = awaitsPayers ? PROCESSING : "true";
  const found = `merchant_id, id, provider, due_at, ${kind} AS is_processing`;
  const processing = `
            UNION
            (SELECT ${found} FROM ${table} WHERE due_at <= now() AND ${PROCESSING} AND ${room} > 0
             ORDER BY due_at LIMIT $1)`;
  return `
    UPDATE ${table} t SET due_at = now() + ${ahead} + $2 * interval '1 millisecond'
    WHERE (merchant_id, id) IN (
        SELECT merchant_id, id FROM (
          SELECT merchant_id, id, provider,
                 row_number() OVER (PARTITION BY provider ORDER BY turn, is_processing DESC) AS place FROM (
           SELECT *, row_number() OVER (PARTITION BY provider, is_processing ORDER BY due_at) AS turn FROM (
            (SELECT ${found} FROM ${table} WHERE due_at <= now() AND ${room} > 0
             ORDER BY due_at LIMIT $1)${awaitsPayers ? processing : ""}
            UNION
            (SELECT due.* FROM sandbox_clock c CROSS JOIN LATERAL (
               SELECT ${found} FROM ${table} d
               WHERE d.merchant_id = c.merchant_id AND environment = 'test'
                 AND due_at <= now() + c.offset_ms * interval '1 millisecond' AND ${room} > 0
               ORDER BY due_at LIMIT $1) due
             LIMIT $1)) due) turns) placed
        WHERE place <= ${room})
      AND due_at <= now() + ${ahead}
    RETURNING ${columns}, (extract(epoch FROM now() + ${ahead}) * 1000)::float8 AS at_ms`;
}
