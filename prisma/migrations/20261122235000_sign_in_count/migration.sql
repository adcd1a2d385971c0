-- Failed attempts to sign in, counted across processes and restarts. The columns are those of rate-limiter-flexible, which
-- inserts by position: key, points, expire.

-- CreateTable
CREATE TABLE "sign_in_count" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" BIGINT NOT NULL,

    CONSTRAINT "sign_in_count_pkey" PRIMARY KEY ("key")
);

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

-- A key is a keyed digest, so that no row names a person or an address.
ALTER TABLE "sign_in_count"
  ADD CONSTRAINT "sign_in_count_key_form" CHECK (key ~ '^(password|code):(account|address):[0-9a-f]{8}\.[0-9a-f]{64}$');

CREATE TRIGGER "sign_in_count_is_not_truncated" BEFORE TRUNCATE ON "sign_in_count"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('sign_in_count_is_not_truncated');

-- An attempt changes no column of an index: room for the new version in place.
ALTER TABLE "sign_in_count" SET (fillfactor = 70);
