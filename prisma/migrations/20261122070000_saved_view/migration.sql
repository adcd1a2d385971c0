-- Views that members keep of the dashboard's lists: the query of an address, under a name that is theirs alone.

-- CreateTable
CREATE TABLE "saved_view" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "list" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "saved_view_merchant_id_member_id_environment_list_name_key_key" ON "saved_view"("merchant_id", "member_id", "environment", "list", "name_key");

-- AddForeignKey
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_merchant_id_member_id_fkey" FOREIGN KEY ("merchant_id", "member_id") REFERENCES "member"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "saved_view"
  ADD CONSTRAINT "saved_view_id_prefix" CHECK (starts_with(id, 'view_')),
  ADD CONSTRAINT "saved_view_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "saved_view_list_known" CHECK (list IN ('payments', 'payouts', 'topups')),
  ADD CONSTRAINT "saved_view_name_length" CHECK (length(name) BETWEEN 1 AND 60),
  ADD CONSTRAINT "saved_view_name_key_given" CHECK (name_key <> ''),
  ADD CONSTRAINT "saved_view_query_length" CHECK (length(query) <= 2000);
