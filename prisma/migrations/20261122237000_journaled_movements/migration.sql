-- A journal entry may book money of an intent while a report of the same money is applied. Neither saw the other's booking, and
-- both were made. So the journal entry's booking takes a number of the intent too (see 20261122236000): of two bookings with
-- one number the second is refused, and decided again.
ALTER TABLE "ledger_transaction" ADD COLUMN "journaled_intent_id" TEXT;

ALTER TABLE "ledger_transaction"
  DROP CONSTRAINT "ledger_transaction_movement_ordinal_is_of_an_intent",
  ADD CONSTRAINT "ledger_transaction_movement_ordinal_is_of_an_intent"
    CHECK (movement_ordinal IS NULL OR coalesce(intent_id, journaled_intent_id) IS NOT NULL),
  ADD CONSTRAINT "ledger_transaction_journaled_intent_is_numbered"
    CHECK (journaled_intent_id IS NULL OR (reason = 'journal' AND intent_id IS NULL AND movement_ordinal IS NOT NULL));

DROP INDEX "ledger_transaction_movement_ordinal_key";
-- Partial: bookings of the regular course have no number and never touch it.
CREATE UNIQUE INDEX "ledger_transaction_movement_ordinal_key"
  ON "ledger_transaction" ("merchant_id", coalesce("intent_id", "journaled_intent_id"), "movement_ordinal")
  WHERE movement_ordinal IS NOT NULL;
