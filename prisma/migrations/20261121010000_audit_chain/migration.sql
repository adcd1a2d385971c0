-- The hash chain over the audit log: per merchant a gap-free sequence of links, laid by the worker after the commit.

-- CreateTable
CREATE TABLE "audit_pending" (
    "merchant_id" TEXT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_pending_pkey" PRIMARY KEY ("merchant_id","entry_id")
);

-- CreateTable
CREATE TABLE "audit_chain" (
    "merchant_id" TEXT NOT NULL,
    "last_sequence" BIGINT NOT NULL,
    "last_hash" TEXT NOT NULL,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("merchant_id")
);

-- CreateTable
CREATE TABLE "audit_link" (
    "merchant_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "linked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_link_pkey" PRIMARY KEY ("merchant_id","sequence")
);

-- CreateIndex
CREATE UNIQUE INDEX "audit_link_merchant_id_entry_id_key" ON "audit_link"("merchant_id", "entry_id");

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "audit_chain"
  ADD CONSTRAINT "audit_chain_sequence_counts_up" CHECK (last_sequence >= 0),
  ADD CONSTRAINT "audit_chain_hash_form" CHECK (last_hash ~ '^[0-9a-f]{64}$');
ALTER TABLE "audit_link"
  ADD CONSTRAINT "audit_link_sequence_counts_from_one" CHECK (sequence >= 1),
  ADD CONSTRAINT "audit_link_hash_form" CHECK (hash ~ '^[0-9a-f]{64}$');

-- Links find their entries by primary key. On a table without statistics every index that starts with merchant_id looks
-- equally good, and of equals the planner takes the newest: made anew, the primary key wins.
ALTER TABLE "audit_entry"
  DROP CONSTRAINT "audit_entry_pkey", ADD CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("merchant_id", "id");

-- No foreign keys to the entry: the commit that writes an entry queues it in the same statement, a link is made of the
-- entry read, and checking one more time would lock and dirty every entry. Whether they agree is what the chain proves.
CREATE TRIGGER "audit_link_is_append_only" BEFORE UPDATE OR DELETE ON "audit_link"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('audit_link_is_append_only');

-- The end of a chain moves forward only, and stays with its merchant.
CREATE TRIGGER "audit_chain_moves_forward" BEFORE UPDATE ON "audit_chain"
  FOR EACH ROW WHEN (NEW.last_sequence <= OLD.last_sequence OR NEW.merchant_id <> OLD.merchant_id)
  EXECUTE FUNCTION "refuse_change"('audit_chain_moves_forward');
CREATE TRIGGER "audit_chain_stays" BEFORE DELETE ON "audit_chain"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('audit_chain_stays');

-- Every row of the queue goes again within a second; its pages are swept often, or looking at it would grow dear.
ALTER TABLE "audit_pending" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Entries from before there was a chain are linked like any other.
INSERT INTO "audit_pending" (merchant_id, entry_id) SELECT merchant_id, id FROM "audit_entry";
