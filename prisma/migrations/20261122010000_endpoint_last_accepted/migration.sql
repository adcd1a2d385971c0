-- When an endpoint last accepted something, to the minute: shown beside since when it accepts nothing.

-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN "last_accepted_at" TIMESTAMPTZ(3);
