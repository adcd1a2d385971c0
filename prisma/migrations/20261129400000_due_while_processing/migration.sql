-- What providers are at work on is found behind any number of due polls about payers who have not paid yet.
CREATE INDEX IF NOT EXISTS "payment_intent_due_while_processing" ON "payment_intent" (due_at) WHERE status = 'processing';
CREATE INDEX IF NOT EXISTS "topup_intent_due_while_processing" ON "topup_intent" (due_at) WHERE status = 'processing';
