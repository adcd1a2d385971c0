-- What makes the payer's page the merchant's: a color and a logo.
CREATE TABLE "merchant_brand" (
    "merchant_id" TEXT NOT NULL,
    "color" TEXT,
    "logo" BYTEA,
    "logo_sha256" TEXT,

    CONSTRAINT "merchant_brand_pkey" PRIMARY KEY ("merchant_id")
);

ALTER TABLE "merchant_brand"
  ADD CONSTRAINT "merchant_brand_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id")
    ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "merchant_brand_color_known" CHECK (color ~ '^#[0-9a-f]{6}$'),
  -- Entries of the audit log name the logo by it.
  ADD CONSTRAINT "merchant_brand_logo_as_named" CHECK (
    (logo IS NULL) = (logo_sha256 IS NULL) AND logo_sha256 = encode(sha256(logo), 'hex'));

ALTER TABLE "merchant_brand" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "merchant_brand_within_reach" ON "merchant_brand" USING (within_reach(merchant_id));
CREATE TRIGGER "merchant_brand_is_not_truncated" BEFORE TRUNCATE ON "merchant_brand"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('merchant_brand_is_not_truncated');
