-- Seeds payments: $1 a payment to copy, $2 the merchant, $3 the number, one per second into the past. seed.ts inserts the columns.
-- One in ten failed, half succeeded, the others await their payer; the 20 oldest are the only ones in Mexico.
INSERT INTO payment_intent (/* columns */)
SELECT /* values */
FROM (SELECT * FROM payment_intent WHERE id = $1::text) s
CROSS JOIN generate_series(1, $3::int) n
CROSS JOIN LATERAL (
  SELECT $2::text AS merchant_id,
         CASE WHEN n % 10 = 0 THEN 'failed' WHEN n % 10 < 6 THEN 'succeeded' ELSE 'requires_action' END AS status,
         n > $3::int - 20 AS is_mexican,
         date_trunc('milliseconds', now()) - n * interval '1 second' AS at
) v
