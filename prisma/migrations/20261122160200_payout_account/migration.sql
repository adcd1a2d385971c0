-- Account numbers are compared without spaces, hyphens and case. A payout's own digest stays as it is, since approvals
-- sign it and a terminal row never changes; the comparable digest of an earlier payout lies beside it.

-- CreateTable
CREATE TABLE "payout_account" (
    "merchant_id" TEXT NOT NULL,
    "payout_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,

    CONSTRAINT "payout_account_pkey" PRIMARY KEY ("merchant_id","payout_id")
);

-- CreateIndex
CREATE INDEX "payout_account_merchant_id_digest_idx" ON "payout_account"("merchant_id", "digest");
