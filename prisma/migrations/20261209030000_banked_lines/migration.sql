-- Which lines of settlement files a bank line has settled, in the cell that decides on bank lines: each transfer is for one set of
-- lines, also if later files have other lines beside it (docs/reconciliation.md).
CREATE TABLE "banked_line" (
    "provider" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "bank_digest" TEXT,

    CONSTRAINT "banked_line_pkey" PRIMARY KEY ("provider","environment","digest")
);

ALTER TABLE "banked_line"
  ADD CONSTRAINT "banked_line_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "banked_line_digest_form" CHECK (digest ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "banked_line_bank_digest_form" CHECK (bank_digest ~ '^[0-9a-f]{64}$');

-- Which bank line it was is not known of these.
INSERT INTO "banked_line" (provider, environment, digest)
SELECT split_part(unique_key, ':', 2), environment, split_part(unique_key, ':', 3)
FROM "ledger_transaction" WHERE reason = 'provider_settlement' ON CONFLICT DO NOTHING;

CREATE TRIGGER "banked_line_is_append_only" BEFORE UPDATE OR DELETE ON "banked_line"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('banked_line_is_append_only');
CREATE TRIGGER "banked_line_is_not_truncated" BEFORE TRUNCATE ON "banked_line"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('banked_line_is_not_truncated');

-- The rows are the operator's.
ALTER TABLE "banked_line" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "banked_line_within_reach" ON "banked_line" USING (within_reach(''));
