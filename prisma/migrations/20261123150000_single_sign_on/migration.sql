-- Single sign-on: who a member is at the operator's OpenID provider, and fresh sign-ins there that prove one act.

-- CreateTable
CREATE TABLE "member_identity" (
    "merchant_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_identity_pkey" PRIMARY KEY ("merchant_id","member_id","issuer")
);

-- CreateTable
CREATE TABLE "fresh_sign_in" (
    "merchant_id" TEXT NOT NULL,
    "id_hash" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "proved_at" TIMESTAMPTZ(3),

    CONSTRAINT "fresh_sign_in_pkey" PRIMARY KEY ("merchant_id","id_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "member_identity_merchant_id_issuer_subject_key" ON "member_identity"("merchant_id", "issuer", "subject");

-- CreateIndex
CREATE INDEX "member_identity_issuer_subject_idx" ON "member_identity"("issuer", "subject");

-- CreateIndex
CREATE INDEX "fresh_sign_in_merchant_id_session_id_idx" ON "fresh_sign_in"("merchant_id", "session_id");

-- AddForeignKey
ALTER TABLE "member_identity" ADD CONSTRAINT "member_identity_merchant_id_member_id_fkey" FOREIGN KEY ("merchant_id", "member_id") REFERENCES "member"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "fresh_sign_in" ADD CONSTRAINT "fresh_sign_in_merchant_id_session_id_fkey" FOREIGN KEY ("merchant_id", "session_id") REFERENCES "member_session"("merchant_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

-- A provider states whether it checked one factor or two.
ALTER TABLE "member_session" DROP CONSTRAINT "member_session_method_known";
ALTER TABLE "member_session"
  ADD CONSTRAINT "member_session_method_known"
    CHECK (method IN ('password', 'passkey', 'single_sign_on', 'single_sign_on_two_factors'));

ALTER TABLE "member_identity"
  ADD CONSTRAINT "member_identity_issuer_length" CHECK (length(issuer) BETWEEN 1 AND 1024),
  ADD CONSTRAINT "member_identity_subject_length" CHECK (length(subject) BETWEEN 1 AND 255);

CREATE TRIGGER "member_identity_is_never_changed" BEFORE UPDATE ON "member_identity"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('member_identity_is_never_changed');

CREATE TRIGGER "member_identity_is_not_truncated" BEFORE TRUNCATE ON "member_identity"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('member_identity_is_not_truncated');

ALTER TABLE "fresh_sign_in"
  ADD CONSTRAINT "fresh_sign_in_id_hash_form" CHECK (id_hash ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "fresh_sign_in_lasts_five_minutes"
    CHECK (expires_at > created_at AND expires_at <= created_at + interval '5 minutes'),
  ADD CONSTRAINT "fresh_sign_in_proved_in_time" CHECK (proved_at < expires_at);

CREATE TRIGGER "fresh_sign_in_is_proved_once" BEFORE UPDATE ON "fresh_sign_in"
  FOR EACH ROW WHEN (
    OLD.proved_at IS NOT NULL
    OR (OLD.merchant_id, OLD.id_hash, OLD.session_id, OLD.created_at, OLD.expires_at)
       IS DISTINCT FROM
       (NEW.merchant_id, NEW.id_hash, NEW.session_id, NEW.created_at, NEW.expires_at))
  EXECUTE FUNCTION "refuse_change"('fresh_sign_in_is_proved_once');

CREATE TRIGGER "fresh_sign_in_is_not_truncated" BEFORE TRUNCATE ON "fresh_sign_in"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('fresh_sign_in_is_not_truncated');

-- Both are behind the wall between merchants.
ALTER TABLE "member_identity" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "member_identity_within_reach" ON "member_identity" USING (within_reach(merchant_id));
ALTER TABLE "fresh_sign_in" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "fresh_sign_in_within_reach" ON "fresh_sign_in" USING (within_reach(merchant_id));
