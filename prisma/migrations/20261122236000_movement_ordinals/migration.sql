-- What a late report of money means depends on the intent's booked movements. Two reports at the same moment read the same
-- books, and could both be booked where the second may be the same money. So a booking that was decided on the books
-- carries the number after the highest of its intent: of two with one number the second is refused, and decided again.
-- Existing rows and those of older processes have no number; a booking of an older process is as unguarded as before.
ALTER TABLE "ledger_transaction" ADD COLUMN "movement_ordinal" INTEGER;

ALTER TABLE "ledger_transaction"
  ADD CONSTRAINT "ledger_transaction_movement_ordinal_counts_from_one" CHECK (movement_ordinal >= 1),
  ADD CONSTRAINT "ledger_transaction_movement_ordinal_is_of_an_intent"
    CHECK (movement_ordinal IS NULL OR intent_id IS NOT NULL);

-- Partial: bookings of the regular course have no number and never touch it.
CREATE UNIQUE INDEX "ledger_transaction_movement_ordinal_key"
  ON "ledger_transaction" ("merchant_id", "intent_id", "movement_ordinal") WHERE movement_ordinal IS NOT NULL;
