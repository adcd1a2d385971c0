-- A callback about a top-up tells a total. Applied again, it may undo what an operator has settled since, such as funds that an
-- operator restored after they were reported gone. A callback's row stays in its cell and is tried again after moves and restores
-- (docs/decisions/0082), so the merchant's own rows remember which ones were applied. Callbacks of before this migration are not
-- remembered: their rows do not say whose they are.
CREATE TABLE "topup_callback" (
    "merchant_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "callback_id" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "intent_id" TEXT NOT NULL,
    "applied_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "topup_callback_pkey" PRIMARY KEY ("merchant_id","provider","callback_id","body_hash")
);

ALTER TABLE "topup_callback"
  ADD CONSTRAINT "topup_callback_intent_id_prefix" CHECK (starts_with(intent_id, 'tuin_')),
  ADD CONSTRAINT "topup_callback_body_hash_form" CHECK (body_hash ~ '^[0-9a-f]{64}$');

CREATE TRIGGER "topup_callback_is_append_only" BEFORE UPDATE OR DELETE ON "topup_callback"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('topup_callback_is_append_only');
CREATE TRIGGER "topup_callback_is_not_truncated" BEFORE TRUNCATE ON "topup_callback"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('topup_callback_is_not_truncated');

ALTER TABLE "topup_callback" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "topup_callback_within_reach" ON "topup_callback" USING (within_reach(merchant_id));
