-- Passkeys: members sign in with them, and prove acts with them.

-- AlterTable
ALTER TABLE "member_session" ADD COLUMN     "method" TEXT NOT NULL DEFAULT 'password';

-- CreateTable
CREATE TABLE "member_passkey" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "member_passkey_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "passkey_challenge" (
    "challenge_hash" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "binding_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "passkey_challenge_pkey" PRIMARY KEY ("challenge_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "member_passkey_credential_id_key" ON "member_passkey"("credential_id");

-- CreateIndex
CREATE INDEX "member_passkey_merchant_id_member_id_idx" ON "member_passkey"("merchant_id", "member_id");

-- CreateIndex
CREATE INDEX "passkey_challenge_expires_at_idx" ON "passkey_challenge"("expires_at");

-- AddForeignKey
ALTER TABLE "member_passkey" ADD CONSTRAINT "member_passkey_merchant_id_member_id_fkey" FOREIGN KEY ("merchant_id", "member_id") REFERENCES "member"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees.
-- --------------------------------------------------------------------------------------------------------------------

ALTER TABLE "member_session"
  ADD CONSTRAINT "member_session_method_known" CHECK (method IN ('password', 'passkey'));

ALTER TABLE "member_passkey"
  ADD CONSTRAINT "member_passkey_name_length" CHECK (length(name) BETWEEN 1 AND 64),
  ADD CONSTRAINT "member_passkey_credential_id_form" CHECK (
    credential_id ~ '^[A-Za-z0-9_-]+$' AND length(credential_id) <= 1400),
  ADD CONSTRAINT "member_passkey_counter_is_unsigned" CHECK (counter BETWEEN 0 AND 4294967295),
  ADD CONSTRAINT "member_passkey_transports_given" CHECK (transports IS NOT NULL);

-- A copied authenticator shows itself by a counter that does not advance.
CREATE TRIGGER "member_passkey_counter_moves_forward" BEFORE UPDATE ON "member_passkey"
  FOR EACH ROW WHEN (NEW.counter < OLD.counter)
  EXECUTE FUNCTION "refuse_change"('member_passkey_counter_moves_forward');

CREATE TRIGGER "member_passkey_content_is_fixed" BEFORE UPDATE ON "member_passkey"
  FOR EACH ROW WHEN (
    (OLD.merchant_id, OLD.id, OLD.member_id, OLD.credential_id, OLD.public_key, OLD.created_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.member_id, NEW.credential_id, NEW.public_key, NEW.created_at))
  EXECUTE FUNCTION "refuse_change"('member_passkey_content_is_fixed');

CREATE TRIGGER "member_passkey_is_not_truncated" BEFORE TRUNCATE ON "member_passkey"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('member_passkey_is_not_truncated');

ALTER TABLE "passkey_challenge"
  ADD CONSTRAINT "passkey_challenge_challenge_hash_form" CHECK (challenge_hash ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "passkey_challenge_binding_hash_form" CHECK (binding_hash ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT "passkey_challenge_purpose_known" CHECK (purpose IN ('enrol', 'sign_in', 'step_up')),
  ADD CONSTRAINT "passkey_challenge_lasts_five_minutes"
    CHECK (expires_at > created_at AND expires_at <= created_at + interval '5 minutes');

CREATE TRIGGER "passkey_challenge_is_never_changed" BEFORE UPDATE ON "passkey_challenge"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('passkey_challenge_is_never_changed');

CREATE TRIGGER "passkey_challenge_is_not_truncated" BEFORE TRUNCATE ON "passkey_challenge"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"('passkey_challenge_is_not_truncated');

-- Refused passkeys are counted like passwords and codes.
ALTER TABLE "sign_in_count" DROP CONSTRAINT "sign_in_count_key_form";
ALTER TABLE "sign_in_count"
  ADD CONSTRAINT "sign_in_count_key_form" CHECK (
    key ~ '^(password|code|passkey):(account|address|member|session):[0-9a-f]{8}\.[0-9a-f]{64}$'
    OR key ~ '^(password|code|passkey):(source|device):[0-9a-f]{8}\.[0-9a-f]{64}:[0-9a-f]{8}\.[0-9a-f]{64}$');

-- Challenges belong to no merchant; passkeys are behind the wall between merchants.
ALTER TABLE "member_passkey" ENABLE ROW LEVEL SECURITY;
CREATE POLICY "member_passkey_within_reach" ON "member_passkey" USING (within_reach(merchant_id));
