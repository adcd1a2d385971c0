-- It finds what else was paid to the account of a payout that awaits approval. Partial, so that no other statement can take it: a payout
-- that was cancelled or failed paid nobody.
CREATE INDEX IF NOT EXISTS "payout_intent_by_account" ON "payout_intent" (merchant_id, account_digest, created_at)
  WHERE status IN ('requires_approval', 'processing', 'succeeded');
