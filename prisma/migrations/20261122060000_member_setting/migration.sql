-- What members have chosen for themselves, beside who they are: so far the time zone that their dashboard is written in.

-- CreateTable
CREATE TABLE "member_setting" (
    "merchant_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "time_zone" TEXT,

    CONSTRAINT "member_setting_pkey" PRIMARY KEY ("merchant_id","member_id")
);

-- AddForeignKey
ALTER TABLE "member_setting" ADD CONSTRAINT "member_setting_merchant_id_member_id_fkey" FOREIGN KEY ("merchant_id", "member_id") REFERENCES "member"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "member_setting"
  ADD CONSTRAINT "member_setting_time_zone_length" CHECK (length(time_zone) BETWEEN 1 AND 64);
