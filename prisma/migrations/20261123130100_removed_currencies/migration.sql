-- A currency that the operator has removed from a merchant: nothing new is created in it, and its wallet stays visible.

-- AlterTable
ALTER TABLE "merchant_currency" ADD COLUMN "removed_at" TIMESTAMPTZ(3);
