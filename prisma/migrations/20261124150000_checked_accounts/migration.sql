-- Whether payouts over the API must name a plausible account. The dashboard always checks.

-- AlterTable
ALTER TABLE "merchant" ADD COLUMN     "checks_accounts" BOOLEAN NOT NULL DEFAULT false;
