-- The tables of Sluice. First what Prisma generates from schema.prisma, then, from "Guarantees" on, what it cannot say:
-- checks, keys between tables, append-only and terminal rows, the balance of the ledger, indexes of the worker.
-- Needs nothing newer than Postgres 15.

-- CreateTable
CREATE TABLE "merchant" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "checkout_mode" TEXT NOT NULL DEFAULT 'direct',
    "spread_basis_points" INTEGER NOT NULL DEFAULT 50,
    "fee_mode" TEXT NOT NULL DEFAULT 'absorbed',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merchant_currency" (
    "merchant_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,

    CONSTRAINT "merchant_currency_pkey" PRIMARY KEY ("merchant_id","currency")
);

-- CreateTable
CREATE TABLE "api_key" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "pepper_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "member" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "roles" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "member_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "payment_intent" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,
    "currency" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "merchant_reference" TEXT NOT NULL,
    "payment_method" TEXT NOT NULL,
    "customer" JSONB,
    "provider" TEXT NOT NULL,
    "next_action_type" TEXT NOT NULL,
    "next_action" JSONB,
    "failure_code" TEXT,
    "failure_message" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_intent_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "payout_intent" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,
    "currency" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "merchant_reference" TEXT NOT NULL,
    "recipient_type" TEXT NOT NULL,
    "recipient_last4" TEXT NOT NULL,
    "recipient_bank_code" TEXT NOT NULL,
    "recipient_holder_name" TEXT NOT NULL,
    "account_sealed" TEXT NOT NULL,
    "account_digest" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "approvals_required" INTEGER NOT NULL,
    "created_by_type" TEXT NOT NULL,
    "created_by_id" TEXT NOT NULL,
    "failure_code" TEXT,
    "failure_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "payout_intent_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "topup_intent" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "country" TEXT NOT NULL,
    "merchant_reference" TEXT,
    "destination_amount" DECIMAL(38,0) NOT NULL,
    "destination_currency" TEXT NOT NULL,
    "credited_amount" DECIMAL(38,0) NOT NULL,
    "rate" DECIMAL(38,6) NOT NULL,
    "spread_amount" DECIMAL(38,0) NOT NULL,
    "source_type" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "source_amount" DECIMAL(38,0) NOT NULL,
    "source_currency" TEXT NOT NULL,
    "fee_amount" DECIMAL(38,0) NOT NULL,
    "fee_mode" TEXT NOT NULL,
    "received_amount" DECIMAL(38,0) NOT NULL,
    "next_action" JSONB,
    "failure_code" TEXT,
    "failure_message" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),

    CONSTRAINT "topup_intent_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "approval" (
    "merchant_id" TEXT NOT NULL,
    "payout_id" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("merchant_id","payout_id","member_id")
);

-- CreateTable
CREATE TABLE "provider_attempt" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "intent_id" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "outcome" TEXT,
    "provider_reference" TEXT,
    "provider_code" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "provider_attempt_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "provider_callback" (
    "provider" TEXT NOT NULL,
    "callback_id" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "applied_at" TIMESTAMPTZ(3),
    "result" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_callback_pkey" PRIMARY KEY ("provider","callback_id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "merchant_id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "object_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("merchant_id","api_key_id","key")
);

-- CreateTable
CREATE TABLE "idempotency_seal" (
    "merchant_id" TEXT NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_seal_pkey" PRIMARY KEY ("merchant_id","api_key_id","key")
);

-- CreateTable
CREATE TABLE "event" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "intent_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "failure_code" TEXT,
    "failure_message" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "reason" TEXT,
    "request_id" TEXT,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "ledger_account" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "balance" DECIMAL(38,0) NOT NULL DEFAULT 0,
    "last_sequence" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "ledger_account_pkey" PRIMARY KEY ("merchant_id","environment","currency","kind")
);

-- CreateTable
CREATE TABLE "ledger_transaction" (
    "merchant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "unique_key" TEXT NOT NULL,
    "intent_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_transaction_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "merchant_id" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("merchant_id","environment","currency","kind","sequence")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_public_key_key" ON "api_key"("public_key");

-- CreateIndex
CREATE INDEX "member_email_idx" ON "member"("email");

-- CreateIndex
CREATE UNIQUE INDEX "member_merchant_id_email_key" ON "member"("merchant_id", "email");

-- CreateIndex
CREATE INDEX "payment_intent_merchant_id_environment_created_at_id_idx" ON "payment_intent"("merchant_id", "environment", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payment_intent_id_idx" ON "payment_intent"("id");

-- CreateIndex
CREATE INDEX "payment_intent_merchant_id_environment_status_created_at_id_idx" ON "payment_intent"("merchant_id", "environment", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "payment_intent_merchant_id_environment_merchant_reference_key" ON "payment_intent"("merchant_id", "environment", "merchant_reference");

-- CreateIndex
CREATE INDEX "payout_intent_merchant_id_environment_created_at_id_idx" ON "payout_intent"("merchant_id", "environment", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payout_intent_merchant_id_environment_status_created_at_id_idx" ON "payout_intent"("merchant_id", "environment", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "payout_intent_merchant_id_environment_merchant_reference_key" ON "payout_intent"("merchant_id", "environment", "merchant_reference");

-- CreateIndex
CREATE INDEX "topup_intent_merchant_id_environment_created_at_id_idx" ON "topup_intent"("merchant_id", "environment", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "topup_intent_merchant_id_environment_status_created_at_id_idx" ON "topup_intent"("merchant_id", "environment", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "topup_intent_merchant_id_environment_merchant_reference_key" ON "topup_intent"("merchant_id", "environment", "merchant_reference");

-- CreateIndex
CREATE UNIQUE INDEX "provider_attempt_merchant_id_intent_id_ordinal_key" ON "provider_attempt"("merchant_id", "intent_id", "ordinal");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "event_merchant_id_intent_id_key" ON "event"("merchant_id", "intent_id");

-- CreateIndex
CREATE INDEX "audit_entry_merchant_id_object_id_idx" ON "audit_entry"("merchant_id", "object_id");

-- CreateIndex
CREATE INDEX "ledger_transaction_merchant_id_intent_id_idx" ON "ledger_transaction"("merchant_id", "intent_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transaction_merchant_id_environment_unique_key_key" ON "ledger_transaction"("merchant_id", "environment", "unique_key");

-- CreateIndex
CREATE INDEX "ledger_entry_merchant_id_transaction_id_idx" ON "ledger_entry"("merchant_id", "transaction_id");

-- AddForeignKey
ALTER TABLE "merchant_currency" ADD CONSTRAINT "merchant_currency_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member" ADD CONSTRAINT "member_merchant_id_fkey" FOREIGN KEY ("merchant_id") REFERENCES "merchant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Guarantees. The domain decides; the database makes a wrong decision impossible to keep. Every refusal is named.
--
-- Every unique key of merchant data starts with merchant_id. Two do not: a public key must be unique everywhere, since
-- it is what tells the merchant; callbacks belong to a provider, not to a merchant.
-- There is no foreign key from the intents (nor from other hot tables) to merchant: each insert would lock and read the
-- same merchant row, while merchant_id comes from authenticated credentials and cannot be wrong.
-- --------------------------------------------------------------------------------------------------------------------

-- On a young table without statistics every index that starts with merchant_id looks equally good, and of equals the
-- planner takes the newest. Made anew after the others, the primary key wins, and a cached plan never walks a merchant.
ALTER TABLE "payment_intent"
  DROP CONSTRAINT "payment_intent_pkey", ADD CONSTRAINT "payment_intent_pkey" PRIMARY KEY ("merchant_id", "id");
ALTER TABLE "payout_intent"
  DROP CONSTRAINT "payout_intent_pkey", ADD CONSTRAINT "payout_intent_pkey" PRIMARY KEY ("merchant_id", "id");
ALTER TABLE "topup_intent"
  DROP CONSTRAINT "topup_intent_pkey", ADD CONSTRAINT "topup_intent_pkey" PRIMARY KEY ("merchant_id", "id");

-- Merchants, their keys and people: closed lists.
ALTER TABLE "merchant"
  ADD CONSTRAINT "merchant_checkout_mode_known" CHECK (checkout_mode IN ('direct', 'hosted')),
  ADD CONSTRAINT "merchant_fee_mode_known" CHECK (fee_mode IN ('absorbed', 'added', 'deducted')),
  ADD CONSTRAINT "merchant_spread_in_range" CHECK (spread_basis_points BETWEEN 0 AND 10000);

ALTER TABLE "merchant_currency"
  ADD CONSTRAINT "merchant_currency_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$');

-- The prefix of a public key is what fixes the environment of a request, so it must agree with the key's own.
ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "api_key_prefix_agrees" CHECK (starts_with(public_key, 'pk_' || environment || '_'));

-- Arrays of Prisma are nullable in SQL; here they are not.
ALTER TABLE "member"
  ADD CONSTRAINT "member_roles_known" CHECK (
    roles IS NOT NULL AND roles <@ ARRAY['owner', 'admin', 'approver', 'finance', 'developer']);

-- Intents. A failure is told exactly where there is one, with the codes that fit the kind; a terminal intent asks
-- nothing of anybody and is never due, any other always is, so that the worker cannot lose it.
ALTER TABLE "payment_intent"
  ADD CONSTRAINT "payment_intent_id_prefix" CHECK (starts_with(id, 'dord_')),
  ADD CONSTRAINT "payment_intent_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "payment_intent_status_known" CHECK (
    status IN ('processing', 'requires_action', 'succeeded', 'failed', 'expired')),
  ADD CONSTRAINT "payment_intent_revision_counts_up" CHECK (revision >= 0),
  ADD CONSTRAINT "payment_intent_amount_positive" CHECK (amount > 0),
  ADD CONSTRAINT "payment_intent_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "payment_intent_country_form" CHECK (country ~ '^[A-Z]{2}$'),
  ADD CONSTRAINT "payment_intent_merchant_reference_length" CHECK (char_length(merchant_reference) BETWEEN 1 AND 255),
  ADD CONSTRAINT "payment_intent_payment_method_form" CHECK (
    payment_method ~ '^[A-Z]{2}_[A-Z0-9_]{2,40}$' AND starts_with(payment_method, country)),
  ADD CONSTRAINT "payment_intent_next_action_type_known" CHECK (
    next_action_type IN ('redirect_to_url', 'display_qr_code', 'display_bank_transfer_instructions')),
  ADD CONSTRAINT "payment_intent_next_action_when_required" CHECK (
    (next_action IS NOT NULL) = (status = 'requires_action')),
  ADD CONSTRAINT "payment_intent_next_action_object" CHECK (jsonb_typeof(next_action) = 'object'),
  ADD CONSTRAINT "payment_intent_customer_object" CHECK (jsonb_typeof(customer) = 'object'),
  ADD CONSTRAINT "payment_intent_failure_code_known" CHECK (
    failure_code IN ('provider_declined', 'provider_unavailable', 'expired', 'cancelled')),
  ADD CONSTRAINT "payment_intent_failure_where_allowed" CHECK (
    (failure_code IS NOT NULL) = (status IN ('failed', 'expired'))),
  ADD CONSTRAINT "payment_intent_expired_says_so" CHECK (
    (failure_code IS NOT DISTINCT FROM 'expired') = (status = 'expired')),
  ADD CONSTRAINT "payment_intent_failure_message_needs_code" CHECK (
    failure_message IS NULL OR failure_code IS NOT NULL),
  ADD CONSTRAINT "payment_intent_due_until_terminal" CHECK (
    (due_at IS NULL) = (status IN ('succeeded', 'failed', 'expired'))),
  ADD CONSTRAINT "payment_intent_time_runs_forward" CHECK (updated_at >= created_at);

ALTER TABLE "payout_intent"
  ADD CONSTRAINT "payout_intent_id_prefix" CHECK (starts_with(id, 'word_')),
  ADD CONSTRAINT "payout_intent_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "payout_intent_status_known" CHECK (
    status IN ('requires_approval', 'processing', 'succeeded', 'failed', 'cancelled')),
  ADD CONSTRAINT "payout_intent_revision_counts_up" CHECK (revision >= 0),
  ADD CONSTRAINT "payout_intent_amount_positive" CHECK (amount > 0),
  ADD CONSTRAINT "payout_intent_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "payout_intent_country_form" CHECK (country ~ '^[A-Z]{2}$'),
  ADD CONSTRAINT "payout_intent_merchant_reference_length" CHECK (char_length(merchant_reference) BETWEEN 1 AND 255),
  ADD CONSTRAINT "payout_intent_recipient_type_known" CHECK (recipient_type IN ('bank_account')),
  -- Whatever goes wrong above, no whole account number fits where only its last four characters belong.
  ADD CONSTRAINT "payout_intent_last4_is_short" CHECK (char_length(recipient_last4) <= 4),
  ADD CONSTRAINT "payout_intent_approvals_in_range" CHECK (approvals_required BETWEEN 0 AND 3),
  ADD CONSTRAINT "payout_intent_gate_needs_approvals" CHECK (status <> 'requires_approval' OR approvals_required > 0),
  ADD CONSTRAINT "payout_intent_created_by_type_known" CHECK (
    created_by_type IN ('api_key', 'member', 'worker', 'provider', 'payer', 'operator')),
  ADD CONSTRAINT "payout_intent_failure_code_known" CHECK (
    failure_code IN ('provider_declined', 'provider_unavailable', 'invalid_recipient', 'cancelled')),
  ADD CONSTRAINT "payout_intent_failure_where_allowed" CHECK (
    (failure_code IS NOT NULL) = (status IN ('failed', 'cancelled'))),
  ADD CONSTRAINT "payout_intent_cancelled_says_so" CHECK (
    (failure_code IS NOT DISTINCT FROM 'cancelled') = (status = 'cancelled')),
  ADD CONSTRAINT "payout_intent_failure_message_needs_code" CHECK (
    failure_message IS NULL OR failure_code IS NOT NULL),
  ADD CONSTRAINT "payout_intent_due_until_terminal" CHECK (
    (due_at IS NULL) = (status IN ('succeeded', 'failed', 'cancelled'))),
  ADD CONSTRAINT "payout_intent_time_runs_forward" CHECK (updated_at >= created_at);

ALTER TABLE "topup_intent"
  ADD CONSTRAINT "topup_intent_id_prefix" CHECK (starts_with(id, 'tuin_')),
  ADD CONSTRAINT "topup_intent_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "topup_intent_status_known" CHECK (
    status IN ('requires_payment', 'processing', 'succeeded', 'failed', 'expired')),
  ADD CONSTRAINT "topup_intent_revision_counts_up" CHECK (revision >= 0),
  ADD CONSTRAINT "topup_intent_country_form" CHECK (country ~ '^[A-Z]{2}$'),
  ADD CONSTRAINT "topup_intent_merchant_reference_length" CHECK (char_length(merchant_reference) BETWEEN 1 AND 255),
  ADD CONSTRAINT "topup_intent_destination_amount_positive" CHECK (destination_amount > 0),
  ADD CONSTRAINT "topup_intent_source_amount_positive" CHECK (source_amount > 0),
  ADD CONSTRAINT "topup_intent_credited_amount_not_negative" CHECK (credited_amount >= 0),
  ADD CONSTRAINT "topup_intent_received_amount_not_negative" CHECK (received_amount >= 0),
  ADD CONSTRAINT "topup_intent_fee_amount_not_negative" CHECK (fee_amount >= 0),
  ADD CONSTRAINT "topup_intent_spread_amount_not_negative" CHECK (spread_amount >= 0),
  ADD CONSTRAINT "topup_intent_rate_positive" CHECK (rate > 0),
  ADD CONSTRAINT "topup_intent_destination_currency_form" CHECK (destination_currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "topup_intent_source_currency_form" CHECK (source_currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "topup_intent_source_type_known" CHECK (
    source_type IN ('provider_gateway', 'bank_transfer', 'manual')),
  ADD CONSTRAINT "topup_intent_fee_mode_known" CHECK (fee_mode IN ('absorbed', 'added', 'deducted')),
  ADD CONSTRAINT "topup_intent_credited_when_succeeded" CHECK (credited_amount = 0 OR status = 'succeeded'),
  ADD CONSTRAINT "topup_intent_next_action_until_terminal" CHECK (
    next_action IS NULL OR status NOT IN ('succeeded', 'failed', 'expired')),
  ADD CONSTRAINT "topup_intent_next_action_object" CHECK (jsonb_typeof(next_action) = 'object'),
  ADD CONSTRAINT "topup_intent_failure_code_known" CHECK (
    failure_code IN ('provider_declined', 'provider_unavailable', 'underpaid', 'expired')),
  ADD CONSTRAINT "topup_intent_failure_where_allowed" CHECK (
    (failure_code IS NOT NULL) = (status IN ('failed', 'expired'))),
  ADD CONSTRAINT "topup_intent_expired_says_so" CHECK (
    (failure_code IS NOT DISTINCT FROM 'expired') = (status = 'expired')),
  ADD CONSTRAINT "topup_intent_failure_message_needs_code" CHECK (
    failure_message IS NULL OR failure_code IS NOT NULL),
  ADD CONSTRAINT "topup_intent_due_until_terminal" CHECK (
    (due_at IS NULL) = (status IN ('succeeded', 'failed', 'expired'))),
  ADD CONSTRAINT "topup_intent_time_runs_forward" CHECK (updated_at >= created_at);

-- A call that was announced is either still open or has its outcome and its time, never half of it.
ALTER TABLE "provider_attempt"
  ADD CONSTRAINT "provider_attempt_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "provider_attempt_ordinal_counts_from_one" CHECK (ordinal >= 1),
  ADD CONSTRAINT "provider_attempt_state_known" CHECK (state IN ('started', 'answered', 'unknown')),
  ADD CONSTRAINT "provider_attempt_outcome_when_over" CHECK ((outcome IS NULL) = (state = 'started')),
  ADD CONSTRAINT "provider_attempt_time_when_over" CHECK ((answered_at IS NULL) = (state = 'started'));

-- A callback that is applied is never due again.
ALTER TABLE "provider_callback"
  ADD CONSTRAINT "provider_callback_attempts_count_up" CHECK (attempts >= 0),
  ADD CONSTRAINT "provider_callback_applied_once" CHECK (applied_at IS NULL OR due_at IS NULL);

-- Interface §8: up to 255 printable ASCII characters. A failure on our side (5xx) can never be stored for replay.
ALTER TABLE "idempotency_key"
  ADD CONSTRAINT "idempotency_key_key_form" CHECK (octet_length(key) BETWEEN 1 AND 255 AND key ~ '^[ -~]+$');
ALTER TABLE "idempotency_seal"
  ADD CONSTRAINT "idempotency_seal_status_replayable" CHECK (status BETWEEN 200 AND 499);

-- Interface §6: the closed catalogue. The type is made of the intent's kind and its terminal status.
ALTER TABLE "event"
  ADD CONSTRAINT "event_id_prefix" CHECK (starts_with(id, 'evt_')),
  ADD CONSTRAINT "event_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "event_type_known" CHECK (
    type IN ('payment_intent.succeeded', 'payment_intent.failed', 'payment_intent.expired',
             'payout_intent.succeeded', 'payout_intent.failed', 'payout_intent.cancelled')),
  ADD CONSTRAINT "event_type_agrees" CHECK (
    type = CASE left(intent_id, 5) WHEN 'dord_' THEN 'payment_intent.' WHEN 'word_' THEN 'payout_intent.' ELSE '' END
           || status),
  ADD CONSTRAINT "event_failure_where_allowed" CHECK ((failure_code IS NULL) = (status = 'succeeded')),
  ADD CONSTRAINT "event_failure_message_needs_code" CHECK (
    failure_message IS NULL OR failure_code IS NOT NULL);

ALTER TABLE "audit_entry"
  ADD CONSTRAINT "audit_entry_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "audit_entry_actor_type_known" CHECK (
    actor_type IN ('api_key', 'member', 'worker', 'provider', 'payer', 'operator'));

-- The ledger. What a merchant owns is never negative: this check, under the row's lock, is what refuses an overdraft.
ALTER TABLE "ledger_account"
  ADD CONSTRAINT "ledger_account_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "ledger_account_currency_form" CHECK (currency ~ '^[A-Z]{3,6}$'),
  ADD CONSTRAINT "ledger_account_kind_known" CHECK (
    kind IN ('available', 'held', 'provider_clearing', 'fees', 'fx_spread', 'suspense', 'funding')),
  ADD CONSTRAINT "ledger_account_never_negative" CHECK (balance >= 0 OR kind NOT IN ('available', 'held')),
  ADD CONSTRAINT "ledger_account_sequence_counts_up" CHECK (last_sequence >= 0);

ALTER TABLE "ledger_transaction"
  ADD CONSTRAINT "ledger_transaction_environment_known" CHECK (environment IN ('test', 'live')),
  ADD CONSTRAINT "ledger_transaction_reason_known" CHECK (
    reason IN ('funding', 'payment_credit', 'payout_hold', 'payout_release', 'payout_settlement', 'topup_credit',
               'late_money', 'amount_mismatch'));

ALTER TABLE "ledger_entry"
  ADD CONSTRAINT "ledger_entry_sequence_counts_from_one" CHECK (sequence >= 1),
  ADD CONSTRAINT "ledger_entry_amount_not_zero" CHECK (amount <> 0);

-- --------------------------------------------------------------------------------------------------------------------
-- Keys between tables carry merchant_id: no row can point at another merchant's.
-- --------------------------------------------------------------------------------------------------------------------

-- The account's environment and currency are in its key, so an entry cannot disagree with its account.
ALTER TABLE "ledger_entry"
  ADD CONSTRAINT "ledger_entry_account_fkey" FOREIGN KEY (merchant_id, environment, currency, kind)
    REFERENCES "ledger_account" (merchant_id, environment, currency, kind),
  ADD CONSTRAINT "ledger_entry_transaction_fkey" FOREIGN KEY (merchant_id, transaction_id)
    REFERENCES "ledger_transaction" (merchant_id, id);

ALTER TABLE "approval"
  ADD CONSTRAINT "approval_payout_fkey" FOREIGN KEY (merchant_id, payout_id)
    REFERENCES "payout_intent" (merchant_id, id);

-- A seal lives as long as its key: reaping the key after 24 hours takes the answer with it.
ALTER TABLE "idempotency_seal"
  ADD CONSTRAINT "idempotency_seal_key_fkey" FOREIGN KEY (merchant_id, api_key_id, key)
    REFERENCES "idempotency_key" (merchant_id, api_key_id, key) ON DELETE CASCADE;

-- --------------------------------------------------------------------------------------------------------------------
-- Rows that do not change.
-- --------------------------------------------------------------------------------------------------------------------

-- Refuses the operation under the name given as the trigger's argument, as a CHECK would.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on table "%" violates rule "%"', TG_OP, TG_TABLE_NAME, TG_ARGV[0]
    USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = TG_ARGV[0];
END
$$;

-- A terminal intent is history: nothing in its row changes, and it stays.
CREATE TRIGGER "payment_intent_terminal_is_final" BEFORE UPDATE OR DELETE ON "payment_intent"
  FOR EACH ROW WHEN (OLD.status IN ('succeeded', 'failed', 'expired'))
  EXECUTE FUNCTION "refuse_change"('payment_intent_terminal_is_final');
CREATE TRIGGER "payout_intent_terminal_is_final" BEFORE UPDATE OR DELETE ON "payout_intent"
  FOR EACH ROW WHEN (OLD.status IN ('succeeded', 'failed', 'cancelled'))
  EXECUTE FUNCTION "refuse_change"('payout_intent_terminal_is_final');
CREATE TRIGGER "topup_intent_terminal_is_final" BEFORE UPDATE OR DELETE ON "topup_intent"
  FOR EACH ROW WHEN (OLD.status IN ('succeeded', 'failed', 'expired'))
  EXECUTE FUNCTION "refuse_change"('topup_intent_terminal_is_final');

-- What an intent is about is fixed at its creation. Which moves its status may make is the domain's, not checked here.
-- A statement that names none of these columns pays nothing. A payout's sealed account is left out: keys rotate.
CREATE TRIGGER "payment_intent_identity_is_fixed"
  BEFORE UPDATE OF merchant_id, id, environment, amount, currency, country, merchant_reference, payment_method,
    created_at
  ON "payment_intent" FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.id, OLD.environment, OLD.amount, OLD.currency, OLD.country, OLD.merchant_reference,
         OLD.payment_method, OLD.created_at)
    IS DISTINCT FROM
        (NEW.merchant_id, NEW.id, NEW.environment, NEW.amount, NEW.currency, NEW.country, NEW.merchant_reference,
         NEW.payment_method, NEW.created_at))
  EXECUTE FUNCTION "refuse_change"('payment_intent_identity_is_fixed');
CREATE TRIGGER "payout_intent_identity_is_fixed"
  BEFORE UPDATE OF merchant_id, id, environment, amount, currency, country, merchant_reference, recipient_type,
    recipient_last4, recipient_bank_code, recipient_holder_name, approvals_required, created_by_type, created_by_id,
    created_at
  ON "payout_intent" FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.id, OLD.environment, OLD.amount, OLD.currency, OLD.country, OLD.merchant_reference,
         OLD.recipient_type, OLD.recipient_last4, OLD.recipient_bank_code, OLD.recipient_holder_name,
         OLD.approvals_required, OLD.created_by_type, OLD.created_by_id, OLD.created_at)
    IS DISTINCT FROM
        (NEW.merchant_id, NEW.id, NEW.environment, NEW.amount, NEW.currency, NEW.country, NEW.merchant_reference,
         NEW.recipient_type, NEW.recipient_last4, NEW.recipient_bank_code, NEW.recipient_holder_name,
         NEW.approvals_required, NEW.created_by_type, NEW.created_by_id, NEW.created_at))
  EXECUTE FUNCTION "refuse_change"('payout_intent_identity_is_fixed');
CREATE TRIGGER "topup_intent_identity_is_fixed"
  BEFORE UPDATE OF merchant_id, id, environment, country, merchant_reference, destination_amount, destination_currency,
    rate, spread_amount, source_type, source_amount, source_currency, fee_amount, fee_mode, created_at
  ON "topup_intent" FOR EACH ROW
  WHEN ((OLD.merchant_id, OLD.id, OLD.environment, OLD.country, OLD.merchant_reference, OLD.destination_amount,
         OLD.destination_currency, OLD.rate, OLD.spread_amount, OLD.source_type, OLD.source_amount, OLD.source_currency,
         OLD.fee_amount, OLD.fee_mode, OLD.created_at)
    IS DISTINCT FROM
        (NEW.merchant_id, NEW.id, NEW.environment, NEW.country, NEW.merchant_reference, NEW.destination_amount,
         NEW.destination_currency, NEW.rate, NEW.spread_amount, NEW.source_type, NEW.source_amount, NEW.source_currency,
         NEW.fee_amount, NEW.fee_mode, NEW.created_at))
  EXECUTE FUNCTION "refuse_change"('topup_intent_identity_is_fixed');

-- Records are written once. A mistake in the ledger is corrected by a further transaction.
CREATE TRIGGER "ledger_transaction_is_append_only" BEFORE UPDATE OR DELETE ON "ledger_transaction"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('ledger_transaction_is_append_only');
CREATE TRIGGER "ledger_entry_is_append_only" BEFORE UPDATE OR DELETE ON "ledger_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('ledger_entry_is_append_only');
CREATE TRIGGER "audit_entry_is_append_only" BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('audit_entry_is_append_only');
CREATE TRIGGER "event_is_append_only" BEFORE UPDATE OR DELETE ON "event"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('event_is_append_only');
CREATE TRIGGER "approval_is_append_only" BEFORE UPDATE OR DELETE ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('approval_is_append_only');
-- A stored answer never changes; it may go, with its key.
CREATE TRIGGER "idempotency_seal_is_written_once" BEFORE UPDATE ON "idempotency_seal"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change"('idempotency_seal_is_written_once');

-- Four eyes in the write itself: who made a payout does not approve it, whatever the caller believed.
CREATE FUNCTION "require_another_approver"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM payout_intent p
    WHERE p.merchant_id = NEW.merchant_id AND p.id = NEW.payout_id
      AND p.created_by_type = 'member' AND p.created_by_id = NEW.member_id
  ) THEN
    RAISE EXCEPTION 'approval of payout % violates rule "approval_by_another_person"', NEW.payout_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'approval_by_another_person';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "approval_by_another_person" BEFORE INSERT ON "approval"
  FOR EACH ROW EXECUTE FUNCTION "require_another_approver"();

-- --------------------------------------------------------------------------------------------------------------------
-- Double entry, checked at COMMIT: no entry is zero, and the entries of a transaction sum to zero per currency, so that
-- where there is one entry there are two. Checked for every entry: nothing can be added to an old transaction either.
-- --------------------------------------------------------------------------------------------------------------------
CREATE FUNCTION "require_balanced_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM ledger_entry e
    WHERE e.merchant_id = NEW.merchant_id AND e.transaction_id = NEW.transaction_id
    GROUP BY e.currency HAVING sum(e.amount) <> 0
  ) THEN
    RAISE EXCEPTION 'ledger transaction % violates rule "ledger_transaction_balances"', NEW.transaction_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'ledger_transaction_balances';
  END IF;
  -- By primary key alone: with the environment as a condition, a planner without statistics takes a worse index.
  IF NEW.environment IS DISTINCT FROM (
    SELECT t.environment FROM ledger_transaction t WHERE t.merchant_id = NEW.merchant_id AND t.id = NEW.transaction_id
  ) THEN
    RAISE EXCEPTION 'ledger transaction % violates rule "ledger_transaction_one_environment"', NEW.transaction_id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'ledger_transaction_one_environment';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER "ledger_transaction_balances" AFTER INSERT ON "ledger_entry"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "require_balanced_entries"();

CREATE FUNCTION "require_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM ledger_entry e WHERE e.merchant_id = NEW.merchant_id AND e.transaction_id = NEW.id
  ) THEN
    RAISE EXCEPTION 'ledger transaction % violates rule "ledger_transaction_has_entries"', NEW.id
      USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = 'ledger_transaction_has_entries';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER "ledger_transaction_has_entries" AFTER INSERT ON "ledger_transaction"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "require_entries"();

-- --------------------------------------------------------------------------------------------------------------------
-- What the worker scans: only rows that are due some day, which is few of all.
-- --------------------------------------------------------------------------------------------------------------------
CREATE INDEX "payment_intent_due" ON "payment_intent" (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX "payout_intent_due" ON "payout_intent" (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX "topup_intent_due" ON "topup_intent" (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX "provider_callback_due" ON "provider_callback" (due_at) WHERE due_at IS NOT NULL;
