-- Where providers send callbacks. Payments and top-ups of such a channel are polled less often.

-- CreateTable
CREATE TABLE "callback_channel" (
    "provider" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "callback_channel_pkey" PRIMARY KEY ("provider","channel")
);

CREATE TRIGGER "callback_channel_is_not_truncated" BEFORE TRUNCATE ON "callback_channel"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('callback_channel_is_not_truncated');

-- A report changes no column of an index: room for the new version in place.
ALTER TABLE "callback_channel" SET (fillfactor = 70);
