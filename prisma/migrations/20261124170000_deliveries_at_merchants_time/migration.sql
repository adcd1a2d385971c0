-- A delivery that waits is due at its merchant's time, so that a move of a test clock rewrites no delivery.
UPDATE "delivery" d SET due_at = due_at + c.offset_ms * interval '1 millisecond'
FROM "sandbox_clock" c
WHERE c.merchant_id = d.merchant_id AND c.environment = d.environment AND d.state = 'pending' AND NOT d.in_flight;
