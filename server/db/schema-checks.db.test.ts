import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POLICY_STATES } from "@/server/domain/approval-policy";
import { DELIVERY_STATES, DISABLED_REASONS, ENDPOINT_STATES } from "@/server/domain/delivery";
import { EVENT_TYPES } from "@/server/domain/events";
import { EXCEPTION_KINDS } from "@/server/domain/exceptions";
import { FEE_MODES } from "@/server/domain/fx";
import { JOURNAL_ACCOUNTS, JOURNAL_STATES } from "@/server/domain/journal";
import { LEDGER_ACCOUNTS, LEDGER_REASONS } from "@/server/domain/ledger";
import { RESOLUTION_STATES } from "@/server/domain/manual-resolution";
import { CHANNELS, NOTIFICATION_STATES, NOTIFICATION_TYPES, SENT_TYPES } from "@/server/domain/notification";
import { PACES } from "@/server/domain/notification-time";
import { CHECKOUT_MODES } from "@/server/domain/payment-intent";
import { NEXT_ACTION_TYPES } from "@/server/domain/payment-methods";
import { PAYMENT_STATUSES } from "@/server/domain/payment-transitions";
import { PAYOUT_STATUSES } from "@/server/domain/payout-transitions";
import { ROLES } from "@/server/domain/permissions";
import { VIEW_LISTS } from "@/server/domain/saved-view";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { SEARCH_FIELDS, SEARCHED_INTENTS } from "@/server/domain/search-text";
import { LINE_KINDS, LINE_VERDICTS } from "@/server/domain/settlement-line";
import { REFUND_STATES } from "@/server/domain/suspense-refund";
import { SOURCE_TYPES } from "@/server/domain/topup-intent";
import { TOPUP_POLICIES } from "@/server/domain/topup-terms";
import { TOPUP_STATUSES } from "@/server/domain/topup-transitions";
import { FAILURE_CODES } from "@/server/domain/transition";
import { openSchemaProbe, type SchemaProbe } from "./testing/schema-probe";
import { ROWS, type Row } from "./testing/schema-rows";
import { TERMINAL_STATES } from "./testing/schema-terminal-states";

let probe: SchemaProbe;
beforeAll(async () => {
  probe = await openSchemaProbe(process.env.DATABASE_URL);
});
afterAll(() => probe.close());

const CREATED = "2026-01-01T00:00:00.000Z";
const RESOLVED = {
  resolution: "Done.",
  resolved_at: "2026-01-02",
  resolved_by_type: "member",
  resolved_by_id: "mem_1",
};
const DECIDED = { state: "active", decided_by_id: "mem_2", decided_at: "2026-01-02" };
/** A merchant's first policy is in effect from its insertion on. */
const FIRST_POLICY_ROW = { version: 1, state: "active", proposed_by_type: "operator", decided_at: "2026-01-02" };
const CONFIRMED = { state: "confirmed", decided_by_id: "jan novak", decided_at: "2026-01-02" };
const CONFIRMED_RESOLUTION = { ...CONFIRMED, decided_by_type: "operator" };
const CONFIRMED_REFUND = { state: "confirmed", decided_by_id: "mem_2", decided_at: "2026-01-02", due_at: "2026-01-02" };
const DECLINED = { status: "failed", failure_code: "provider_declined", due_at: null };

/** Per table: a change of its valid row, and the CHECK that refuses it. */
const CHECKS: Readonly<Record<string, readonly (readonly [check: string, change: Row])[]>> = {
  merchant: [
    ["suspension_has_a_reason", { suspended_at: "2026-11-22T00:00:00Z" }],
    ["suspension_has_a_reason", { suspended_because: "Fraud." }],
    ["checkout_mode_known", { checkout_mode: "popup" }],
    ["totp_required_for_known", { totp_required_for: ["approve", "cancel"] }],
    ["totp_required_for_known", { totp_required_for: null }],
    ["authority_cool_down_bounded", { authority_cool_down_seconds: -1 }],
    ["authority_cool_down_bounded", { authority_cool_down_seconds: 2_592_001 }],
    ["recipient_cool_off_live_bounded", { recipient_cool_off_live_seconds: -1 }],
    ["recipient_cool_off_live_bounded", { recipient_cool_off_live_seconds: 2_592_001 }],
    ["recipient_cool_off_test_bounded", { recipient_cool_off_test_seconds: -1 }],
    ["recipient_cool_off_test_bounded", { recipient_cool_off_test_seconds: 2_592_001 }],
  ],
  member_totp: [["recovery_hashes_given", { recovery_hashes: null }]],
  member_passkey: [
    ["name_length", { name: "" }],
    ["name_length", { name: "n".repeat(65) }],
    ["credential_id_form", { credential_id: "a+b" }],
    ["counter_is_unsigned", { counter: -1 }],
    ["transports_given", { transports: null }],
  ],
  member_identity: [
    ["issuer_length", { issuer: "" }],
    ["subject_length", { subject: "s".repeat(256) }],
  ],
  fresh_sign_in: [
    ["id_hash_form", { id_hash: "an id" }],
    ["lasts_five_minutes", { expires_at: "2026-01-01T00:05:00.001Z" }],
    ["proved_in_time", { proved_at: "2026-01-01T00:05:00.000Z" }],
  ],
  payout_screening: [
    ["verdict_known", { verdict: "maybe" }],
    ["reason_length", { reason: "r".repeat(513) }],
    ["reference_length", { reference: "r".repeat(256) }],
    ["decision_known", { decision: "wait", decided_by_id: "mem_2", decided_at: "2026-01-01T00:00:01Z" }],
    ["decided_together", { decision: "refuse" }],
    [
      "only_holds_are_decided",
      { verdict: "refuse", decision: "release", decided_by_id: "mem_2", decided_at: "2026-01-01T00:00:01Z" },
    ],
  ],
  payout_recipient: [
    ["environment_known", { environment: "prod" }],
    ["holder_name_length", { holder_name: "" }],
    ["holder_name_length", { holder_name: "n".repeat(256) }],
    ["bank_code_length", { bank_code: "" }],
    ["bank_code_length", { bank_code: "b".repeat(65) }],
    ["country_form", { country: "br" }],
    ["currency_form", { currency: "brl" }],
    ["usable_after_creation", { usable_from: "2025-12-31T23:59:59Z" }],
  ],
  person_cell: [
    ["person_form", { person: "ana@shop.example" }],
    ["cell_tag_form", { cell_tag: "i1" }],
  ],
  merchant_fence: [
    ["merchant_form", { merchant: "mer_1,mer_2" }],
    ["state_known", { state: "gone" }],
    ["other_cell_form", { other_cell: "EU 2" }],
    ["stay_positive", { stay: 0 }],
    ["opening_form", { opening: "a word" }],
    ["ready_can_open", { state: "ready", stay: 1 }],
    ["ready_can_open", { state: "ready", opening: "0".repeat(64) }],
    ["trouble_of_left", { overtaken_at: "2026-01-02T00:00:00Z" }],
    ["trouble_of_left", { lost_since: "2026-01-02T00:00:00Z" }],
  ],
  merchant_stay: [
    ["merchant_form", { merchant: "mer_1,mer_2" }],
    ["number_positive", { number: 0 }],
    ["from_cell_form", { from_cell: "EU 2" }],
  ],
  merchant_move: [
    ["id_prefix", { id: "mer_1" }],
    ["merchant_form", { merchant: "mer_1,mer_2" }],
    ["cells_differ", { to_cell: "main" }],
    ["phase_known", { phase: "resting" }],
    ["rows_copied_not_negative", { rows_copied: -1 }],
    ["paused_ms_not_negative", { paused_ms: -1 }],
    ["ends_with_its_phase", { phase: "done" }],
    ["ends_with_its_phase", { ended_at: "2026-01-02T00:00:00Z" }],
  ],
  merchant_move_change: [
    ["merchant_form", { merchant: "*" }],
    ["key_object", { key: "[]" }],
  ],
  merchant_move_noting: [
    ["move_id_prefix", { move_id: "mer_1" }],
    ["merchant_form", { merchant: "*" }],
  ],
  passkey_challenge: [
    ["challenge_hash_form", { challenge_hash: "a challenge" }],
    ["binding_hash_form", { binding_hash: "ses_1" }],
    ["purpose_known", { purpose: "anything" }],
    ["lasts_five_minutes", { expires_at: "2026-01-01T00:05:00.001Z" }],
    ["lasts_five_minutes", { expires_at: "2026-01-01T00:00:00.000Z" }],
  ],
  payout_limit: [
    ["environment_known", { environment: "prod" }],
    ["currency_form", { currency: "brl" }],
    ["applies_to_form", { applies_to: "mem_1" }],
    ["limits_something", { day_at_most: null }],
    ["positive", { amount_at_most: 0 }],
    ["positive", { day_at_most: -1 }],
    ["positive", { recipient_day_at_most: 0 }],
    ["recipients_are_the_merchants", { applies_to: "key_1", recipient_day_at_most: 1 }],
  ],
  topup_terms: [
    ["environment_known", { environment: "prod" }],
    ["spread_in_range", { spread_basis_points: -1 }],
    ["spread_in_range", { spread_basis_points: 10_001 }],
    ["fee_mode_known", { fee_mode: "shared" }],
    ["overpayment_known", { overpayment: "keep" }],
    ["underpayment_known", { underpayment: "keep" }],
    ["late_payment_known", { late_payment: "keep" }],
  ],
  merchant_brand: [
    ["color_known", { color: "green" }],
    ["logo_as_named", { logo: Buffer.alloc(1) }],
    ["logo_as_named", { logo: Buffer.alloc(1), logo_sha256: "0".repeat(64) }],
  ],
  merchant_currency: [["currency_form", { currency: "brl" }]],
  api_key: [
    ["environment_known", { environment: "prod", public_key: "pk_prod_1" }],
    ["prefix_agrees", { environment: "live" }],
    ["scopes_known", { scopes: ["wallets:read", "all"] }],
    ["scopes_known", { scopes: [] }],
    ["networks_given", { networks: [] }],
    ["networks_given", { networks: [null] }],
    ["networks_given", { networks: Array.from({ length: 21 }, () => "10.0.0.0/8") }],
  ],
  api_log: [
    ["environment_known", { environment: "prod" }],
    ["status_in_range", { status: 99 }],
    ["status_in_range", { status: 600 }],
  ],
  sandbox_clock: [
    ["environment_is_test", { environment: "live" }],
    ["offset_in_range", { offset_ms: -1 }],
    ["offset_in_range", { offset_ms: 34_560_000_001 }],
  ],
  member: [
    ["name_is_plain", { name: "" }],
    ["name_is_plain", { name: " Ana" }],
    ["name_is_plain", { name: "ana@shop.example" }],
    ["name_is_plain", { name: "Ana\nSouza" }],
    ["name_is_plain", { name: "x".repeat(65) }],
    ["test_roles_known", { test_roles: ["root"] }],
    ["roles_known", { roles: ["approver", "root"] }],
    ["roles_known", { roles: null }],
  ],
  approval_policy: [
    ["environment_known", { environment: "prod" }],
    ["version_counts_from_one", { version: 0 }],
    ["rules_are_a_list", { rules: "{}" }],
    ["default_in_range", { default_approvals: 4 }],
    ["default_in_range", { default_approvals: -1 }],
    ["digest_form", { digest: "0".repeat(64) }],
    ["state_known", { ...FIRST_POLICY_ROW, state: "draft" }],
    ["proposed_by_type_known", { proposed_by_type: "api_key" }],
    ["operator_makes_the_first", { version: 1 }],
    ["operator_makes_the_first", { proposed_by_type: "operator" }],
    ["decided_in_time", { decided_at: "2026-01-02" }],
    ["decided_in_time", { ...FIRST_POLICY_ROW, decided_at: null }],
    ["decided_by_a_member", { ...DECIDED, proposed_by_type: "operator", version: 1 }],
    ["decided_by_a_member", { decided_by_id: "mem_2" }],
  ],
  member_session: [
    ["method_known", { method: "guess" }],
    ["ends_after_it_begins", { expires_at: "2026-01-01T00:00:00.000Z" }],
    ["user_agent_length", { user_agent: "x".repeat(513) }],
  ],
  member_setting: [
    ["time_zone_length", { time_zone: "" }],
    ["language_length", { language: "x" }],
  ],
  authority_notice: [
    ["attempts_count_up", { attempts: -1 }],
    ["mailed_is_done", { mailed_at: "2026-01-02" }],
  ],
  notification_registration: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["member_or_operator", { member_id: null, address: "ops@sluice.example" }],
    ["channel_known", { channel: "sms", url_sealed: "k.x" }],
    ["destination_given", { url_sealed: "k.x" }],
    ["destination_given", { channel: "slack" }],
    ["destination_given", { channel: "webhook", url_sealed: "k.x" }],
    ["destination_given", { secret_sealed: "k.x" }],
    ["destination_given", { address: "other@shop.example" }],
    ["types_known", { types: [] }],
    ["types_known", { types: null }],
    ["types_known", { types: ["test"] }],
    ["pace_known", { pace: "weekly" }],
    ["time_zone_length", { time_zone: "" }],
    ["daily_at_is_minute", { daily_at: 1_440 }],
    ["quiet_hours_are_minutes", { quiet_from: 60 }],
    ["quiet_hours_are_minutes", { quiet_from: 60, quiet_until: 60 }],
    ["quiet_hours_are_minutes", { quiet_from: -1, quiet_until: 60 }],
  ],
  notification: [
    ["id_prefix", { id: "1" }],
    ["about_own_merchant", { about_merchant_id: "mer_2" }],
    ["type_known", { type: "payment_intent.succeeded" }],
    ["state_known", { state: "lost", due_at: null, ended_at: CREATED }],
    ["pending_is_due", { due_at: null }],
    ["ended_has_time", { ended_at: CREATED }],
    ["attempts_count_up", { attempts: -1, message_id: "ntf_1" }],
    ["attempt_has_message", { attempts: 1 }],
  ],
  one_time_link: [
    ["purpose_known", { purpose: "sign_in" }],
    ["token_hash_form", { token_hash: "a token" }],
    ["created_by_type_known", { created_by_type: "api_key" }],
    ["lasts_a_day", { expires_at: "2026-01-02T00:00:00.001Z" }],
    ["lasts_a_day", { expires_at: "2026-01-01T00:00:00.000Z" }],
    ["used_in_time", { used_at: "2026-01-01T12:00:00.000Z" }],
  ],
  sign_in_count: [
    ["key_form", { key: "password:account:ana@staff.example" }],
    ["key_form", { key: `sms:account:0123abcd.${"0".repeat(64)}` }],
    ["key_form", { key: `password:source:0123abcd.${"0".repeat(64)}` }],
    ["key_form", { key: `password:source:0123abcd.${"0".repeat(64)}:192.0.2.1` }],
  ],
  saved_view: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["list_known", { list: "exceptions" }],
    ["name_length", { name: "" }],
    ["name_length", { name: "é".repeat(61) }],
    ["name_key_given", { name_key: "" }],
    ["query_length", { query: "x".repeat(2_001) }],
  ],
  installation: [
    ["one_row", { single: false }],
    ["key_since", { reference_key_id: "k" }],
    ["cell_whole", { cell: "eu2" }],
  ],
  dispatch_pause: [
    ["id_prefix", { id: "1" }],
    ["currency_form", { currency: "brl" }],
    ["reason_says_something", { reason: "" }],
    ["resumed_whole", { resumed_by: "operator:cli" }],
  ],
  payment_intent: [
    ["dispatch_reference_form", { dispatch_reference: "odd" }],
    ["id_prefix", { id: "word_1" }],
    ["environment_known", { environment: "prod" }],
    ["status_known", { status: "authorised" }],
    ["revision_counts_up", { revision: -1 }],
    ["amount_positive", { amount: 0 }],
    ["currency_form", { currency: "BR" }],
    ["country_form", { country: "br" }],
    ["merchant_reference_length", { merchant_reference: "" }],
    ["merchant_reference_length", { merchant_reference: "x".repeat(256) }],
    ["payment_method_form", { payment_method: "MX_SPEI" }],
    ["payment_method_form", { payment_method: "BR_pix" }],
    ["next_action_type_known", { next_action_type: "call_us" }],
    ["next_action_when_required", { status: "requires_action" }],
    ["next_action_when_required", { next_action: {} }],
    ["next_action_when_required", { ...DECLINED, next_action: {} }],
    ["next_action_object", { status: "requires_action", next_action: "null" }],
    ["customer_object", { customer: "[]" }],
    ["failure_code_known", { ...DECLINED, failure_code: "invalid_recipient" }],
    ["failure_where_allowed", { failure_code: "provider_declined" }],
    ["failure_where_allowed", { ...DECLINED, failure_code: null }],
    ["expired_says_so", { ...DECLINED, failure_code: "expired" }],
    ["expired_says_so", { ...DECLINED, status: "expired" }],
    ["failure_message_needs_code", { failure_message: "No." }],
    ["due_until_terminal", { due_at: null }],
    ["due_until_terminal", { ...DECLINED, due_at: "2026-01-02" }],
    ["time_runs_forward", { updated_at: "2025-12-31" }],
    ["provider_is_routed", { provider: "stranger" }],
    ["provider_is_routed", { routing: {} }],
  ],
  payout_intent: [
    ["batch_has_recipients", { batch_id: "pbt_1" }],
    ["dispatch_reference_form", { dispatch_reference: "odd" }],
    ["id_prefix", { id: "dord_1" }],
    ["environment_known", { environment: "prod" }],
    ["status_known", { status: "requires_action" }],
    ["revision_counts_up", { revision: -1 }],
    ["amount_positive", { amount: -1 }],
    ["currency_form", { currency: "USDTTTT" }],
    ["country_form", { country: "BRA" }],
    ["merchant_reference_length", { merchant_reference: "" }],
    ["recipient_type_known", { recipient_type: "card" }],
    ["last4_is_short", { recipient_last4: "12345" }],
    ["approvals_in_range", { approvals_required: 4 }],
    ["approvals_given_in_range", { approvals_given: -1 }],
    ["approvals_given_in_range", { approvals_given: 2 }],
    ["daily_total_below_positive", { daily_total_below: 0 }],
    ["gate_needs_approvals", { approvals_required: 0 }],
    ["gate_needs_approvals", { approvals_given: 1 }],
    ["gate_opens_when_approved", { status: "processing" }],
    ["policy_version_counts_from_one", { policy_version: 0 }],
    ["created_by_type_known", { created_by_type: "robot" }],
    ["failure_code_known", { ...DECLINED, failure_code: "underpaid" }],
    ["failure_where_allowed", { ...DECLINED, failure_code: null }],
    ["failure_where_allowed", { failure_code: "provider_declined" }],
    ["cancelled_says_so", { ...DECLINED, status: "cancelled" }],
    ["cancelled_says_so", { ...DECLINED, failure_code: "cancelled" }],
    ["failure_message_needs_code", { failure_message: "No." }],
    ["due_until_terminal", { due_at: null }],
    ["time_runs_forward", { updated_at: "2025-12-31" }],
    ["provider_is_routed", { provider: "stranger" }],
    ["provider_is_routed", { routing: {} }],
  ],
  topup_intent: [
    ["dispatch_reference_form", { dispatch_reference: "odd" }],
    ["id_prefix", { id: "dord_1" }],
    ["environment_known", { environment: "prod" }],
    ["status_known", { status: "requires_action" }],
    ["revision_counts_up", { revision: -1 }],
    ["country_form", { country: "B" }],
    ["merchant_reference_length", { merchant_reference: "" }],
    ["destination_amount_positive", { destination_amount: 0 }],
    ["source_amount_positive", { source_amount: 0 }],
    ["credited_amount_not_negative", { status: "succeeded", due_at: null, credited_amount: -1 }],
    ["received_amount_not_negative", { received_amount: -1 }],
    ["seen_amount_not_negative", { seen_amount: -1 }],
    ["reported_amount_not_negative", { reported_amount: -1 }],
    ["fee_amount_not_negative", { fee_amount: -1 }],
    ["spread_amount_not_negative", { spread_amount: -1 }],
    ["rate_positive", { rate: "0.000000" }],
    ["destination_currency_form", { destination_currency: "R$" }],
    ["source_currency_form", { source_currency: "usdt" }],
    ["source_type_known", { source_type: "cash" }],
    ["fee_mode_known", { fee_mode: "shared" }],
    ["overpayment_known", { overpayment: "keep" }],
    ["underpayment_known", { underpayment: "keep" }],
    ["late_payment_known", { late_payment: "keep" }],
    ["credited_when_succeeded", { credited_amount: 1 }],
    ["next_action_object", { next_action: "[]" }],
    ["failure_code_known", { ...DECLINED, failure_code: "cancelled" }],
    ["failure_where_allowed", { failure_code: "provider_declined" }],
    ["expired_says_so", { ...DECLINED, status: "expired" }],
    ["failure_message_needs_code", { failure_message: "No." }],
    ["due_until_terminal", { due_at: null }],
    ["time_runs_forward", { updated_at: "2025-12-31" }],
    ["provider_is_routed", { provider: "stranger" }],
    ["provider_is_routed", { routing: {} }],
  ],
  banked_line: [
    ["environment_known", { environment: "prod" }],
    ["digest_form", { digest: "1" }],
    ["bank_digest_form", { bank_digest: "1" }],
  ],
  hand_booked_line: [
    ["environment_known", { environment: "prod" }],
    ["is_about_a_line", { fact: `amount_mismatch:acme:${"0".repeat(64)}` }],
    ["is_about_a_line", { fact: "missing_internal:acme:1" }],
  ],
  topup_callback: [
    ["intent_id_prefix", { intent_id: "dord_1" }],
    ["body_hash_form", { body_hash: "F".repeat(64) }],
  ],
  topup_total: [
    ["intent_id_prefix", { intent_id: "dord_1" }],
    ["environment_known", { environment: "prod" }],
    ["ordinal_counts_from_zero", { ordinal: -1 }],
    ["currency_form", { currency: "usdt" }],
    ["reported_grows", { base_amount: 26 }],
    ["reported_grows", { base_amount: -1 }],
    ["seen_amount_not_negative", { seen_amount: -1 }],
  ],
  provider_attempt: [
    ["account_length", { provider_account: "" }],
    ["sub_account_length", { provider_account: "acct_1", provider_sub_account: "" }],
    ["sub_account_of_account", { provider_sub_account: "acct_2" }],
    ["environment_known", { environment: "prod" }],
    ["ordinal_counts_from_one", { ordinal: 0 }],
    ["state_known", { state: "lost", outcome: "pending", answered_at: "2026-01-01" }],
    ["outcome_when_over", { state: "unknown", answered_at: "2026-01-01" }],
    ["time_when_over", { state: "answered", outcome: "pending" }],
  ],
  provider_callback: [
    ["attempts_count_up", { attempts: -1 }],
    ["applied_once", { applied_at: "2026-01-01", due_at: "2026-01-01" }],
    ["result_known", { result: "lost" }],
  ],
  idempotency_key: [
    ["key_form", { key: "" }],
    ["key_form", { key: "x".repeat(256) }],
    ["key_form", { key: "é" }],
    ["key_form", { key: "a\tb" }],
  ],
  idempotency_seal: [
    ["status_replayable", { status: 500 }],
    ["status_replayable", { status: 199 }],
  ],
  event: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["type_known", { type: "payment_intent.cancelled", status: "cancelled" }],
    ["type_agrees", { type: "payout_intent.failed" }],
    ["type_agrees", { status: "expired" }],
    ["failure_where_allowed", { failure_code: null, failure_message: null }],
    ["failure_where_allowed", { type: "payment_intent.succeeded", status: "succeeded" }],
    ["failure_message_needs_code", { type: "payment_intent.succeeded", status: "succeeded", failure_code: null }],
  ],
  audit_entry: [
    ["environment_known", { environment: "prod" }],
    ["actor_type_known", { actor_type: "robot" }],
  ],
  audit_chain: [
    ["sequence_counts_up", { last_sequence: -1 }],
    ["hash_form", { last_hash: "" }],
  ],
  audit_check: [
    ["sequence_counts_up", { last_sequence: -1 }],
    ["faults_count_up", { fault_count: -1 }],
  ],
  audit_link: [
    ["sequence_counts_from_one", { sequence: 0 }],
    ["hash_form", { hash: "A".repeat(64) }],
  ],
  intent_figure: [
    ["environment_known", { environment: "prod" }],
    ["kind_known", { kind: "topup_intent" }],
    ["minutes_known", { minutes: 30 }],
    ["count_positive", { count: 0 }],
    ["amount_positive", { amount: 0 }],
  ],
  figure_mark: [["sequence_counts_from_one", { last_sequence: 0 }]],
  search_term: [
    ["environment_known", { environment: "prod" }],
    ["kind_known", { kind: "event" }],
    ["field_known", { field: "country" }],
    ["length", { term: "" }],
    ["length", { term: "x".repeat(101) }],
  ],
  search_mark: [["sequence_counts_from_one", { last_sequence: 0 }]],
  ledger_account: [
    ["environment_known", { environment: "prod" }],
    ["currency_form", { currency: "" }],
    ["kind_known", { kind: "savings" }],
    ["kind_known", { kind: "provider_clearing:" }],
    ["kind_known", { kind: "provider_clearing:Acme" }],
    ["never_negative", { balance: -1 }],
    ["never_negative", { kind: "held", balance: -1 }],
    ["sequence_counts_up", { last_sequence: -1 }],
  ],
  ledger_transaction: [
    ["environment_known", { environment: "prod" }],
    ["reason_known", { reason: "gift" }],
    ["movement_ordinal_counts_from_one", { intent_id: "pyin_1", movement_ordinal: 0 }],
    ["movement_ordinal_is_of_an_intent", { movement_ordinal: 1 }],
    ["journaled_intent_is_numbered", { reason: "journal", journaled_intent_id: "dord_1" }],
    ["journaled_intent_is_numbered", { reason: "funding", journaled_intent_id: "dord_1", movement_ordinal: 1 }],
  ],
  ledger_entry: [
    ["sequence_counts_from_one", { sequence: 0 }],
    ["amount_not_zero", { amount: 0 }],
  ],
  exception: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["kind_known", { kind: "odd" }],
    ["has_a_merchant", { merchant_id: "" }],
    ["detail_object", { detail: "[]" }],
    ["resolved_whole", { resolution: "Done." }],
    ["resolved_whole", { ...RESOLVED, resolved_by_id: null }],
    ["resolution_says_something", { ...RESOLVED, resolution: "" }],
    ["resolution_says_something", { ...RESOLVED, resolution: "é".repeat(513) }],
    ["resolved_by_type_known", { ...RESOLVED, resolved_by_type: "api_key" }],
    ["time_runs_forward", { ...RESOLVED, resolved_at: "2025-12-31" }],
    ["settled_as_known", { ...RESOLVED, settled_as: "keep" }],
    ["settled_is_resolved", { settled_as: "credit" }],
    ["assigned_whole", { owner_id: "mem_1", assigned_by: "mem_2" }],
    ["assigned_whole", { owner_id: "mem_1", assigned_at: "2026-01-01" }],
    ["assigned_whole", { assigned_by: "mem_2", assigned_at: "2026-01-01" }],
  ],
  settlement_file: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["digest_form", { digest: "0" }],
    ["period_runs_forward", { period_to: "2025-12-31" }],
  ],
  settlement_line: [
    ["environment_known", { environment: "prod" }],
    ["digest_form", { digest: "A".repeat(64) }],
    ["kind_known", { kind: "chargeback" }],
    ["verdict_known", { verdict: "missing_external" }],
    ["amount_positive", { amount: 0 }],
    ["fee_not_negative", { fee: -1 }],
    ["currency_form", { currency: "brl" }],
    ["settles_when_matched", { verdict: "matched" }],
    ["movement_has_a_merchant", { verdict: "matched", transaction_id: "ltx_1" }],
  ],
  webhook_endpoint: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["slot_in_range", { slot: 0 }],
    ["slot_in_range", { slot: 11 }],
    ["url_length", { url: "" }],
    ["description_length", { description: "x".repeat(256) }],
    ["event_types_known", { event_types: ["topup_intent.succeeded"] }],
    ["event_types_known", { event_types: [] }],
    ["state_known", { state: "asleep" }],
    ["disabled_reason_known", { state: "disabled", disabled_reason: "tired", disabled_at: "2026-01-02" }],
    ["disabled_whole", { state: "disabled" }],
    ["disabled_whole", { disabled_reason: "gone", disabled_at: "2026-01-02" }],
    ["previous_secret_whole", { previous_secret_sealed: "k1.sealed" }],
    ["warning_known", { warned_hours: 2 }],
    ["time_runs_forward", { updated_at: "2025-12-31" }],
    ["time_runs_forward", { deleted_at: "2025-12-31" }],
  ],
  role_grant: [
    ["roles_known", { roles: null }],
    ["roles_known", { roles: ["finance"] }],
    ["roles_known", { roles: ["approver", "king"] }],
    ["decided_or_proposed", { decided_at: CONFIRMED.decided_at }],
    ["decided_or_proposed", { decided_by_id: "mem_other" }],
  ],
  topup_policy_proposal: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["late_stays_operators", { wanted: { late_payment: "credit_actual" } }],
    ["decided_whole", { decided_at: CONFIRMED.decided_at }],
    ["decided_whole", { decided_by_id: "mem_other" }],
  ],
  suspense_refund: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["ordinal_counts_from_one", { ordinal: 0 }],
    ["of_a_payment", { payment_id: "word_1" }],
    ["reference_form", { reference: "dord_00000000000000000000000000" }],
    ["provider_form", { provider: "Acme" }],
    ["amount_positive", { amount: 0 }],
    ["currency_form", { currency: "brl" }],
    ["reason_says_something", { reason: "" }],
    ["reason_says_something", { reason: "r".repeat(513) }],
    ["decided_whole", { decided_by_id: "mem_2" }],
    ["due_while_open", { due_at: "2026-01-02" }],
    ["ended_whole", { ended_at: "2026-01-02" }],
  ],
  manual_resolution: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["revision_counts_up", { intent_revision: -1 }],
    ["outcome_of_kind", { outcome: "succeeded" }],
    ["outcome_of_kind", { intent_id: "dord_1" }],
    ["outcome_of_kind", { intent_id: "mer_1" }],
    ["amount_where_moved", { outcome: "failed" }],
    ["amount_where_moved", { amount: null }],
    ["amount_where_moved", { currency: null }],
    ["amount_positive", { amount: 0 }],
    ["currency_form", { currency: "brl" }],
    ["provider_reference_form", { provider_reference: "" }],
    ["evidence_given", { evidence: "  " }],
    ["evidence_given", { evidence: "x".repeat(2_001) }],
    ["digest_form", { digest: "shown" }],
    ["proposed_by_type_known", { proposed_by_type: "api_key" }],
    ["decided_whole", { decided_at: CONFIRMED.decided_at }],
    ["decided_whole", { decided_by_id: "jan novak" }],
  ],
  journal_entry: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["from_account_known", { from_account: "suspense" }],
    ["to_account_known", { to_account: "held" }],
    ["accounts_differ", { to_account: "provider_clearing" }],
    ["provider_of_clearing", { provider: null }],
    ["provider_of_clearing", { from_account: "fees" }],
    ["provider_form", { provider: "Acme" }],
    ["currency_form", { currency: "brl" }],
    ["amount_positive", { amount: 0 }],
    ["digest_form", { digest: "0".repeat(64) }],
    ["evidence_given", { evidence: " " }],
    ["evidence_given", { evidence: "x".repeat(2_001) }],
    ["decided_whole", { decided_at: CONFIRMED.decided_at }],
    ["decided_whole", { decided_by_id: "jan novak" }],
  ],
  delivery: [
    ["id_prefix", { id: "1" }],
    ["environment_known", { environment: "prod" }],
    ["state_known", { state: "lost", due_at: null, ended_at: "2026-01-02", attempts: 1 }],
    ["attempts_count_up", { attempts: 1, step: 2 }],
    ["attempts_count_up", { claims: -1 }],
    ["due_until_ended", { due_at: null }],
    ["due_until_ended", { ended_at: "2026-01-02" }],
    ["due_until_ended", { state: "delivered", attempts: 1 }],
    ["in_flight_while_pending", { state: "skipped", due_at: null, ended_at: "2026-01-02", in_flight: true }],
    ["ends_by_an_attempt", { state: "delivered", due_at: null, ended_at: "2026-01-02" }],
  ],
  delivery_attempt: [
    ["ordinal_positive", { ordinal: 0 }],
    ["status_in_range", { status: 99 }],
    ["duration_not_negative", { duration_ms: -1 }],
    ["headers_object", { request_headers: "[]" }],
    ["answer_or_error", { status: null }],
  ],
};

/** Per table: a decision on its valid row, which is inserted undecided, and the CHECK that refuses it. */
const DECISIONS: Readonly<Record<string, readonly (readonly [check: string, change: Row])[]>> = {
  approval_policy: [
    ["decided_in_time", { ...DECIDED, decided_at: null }],
    ["decided_by_a_member", { ...DECIDED, decided_by_id: null }],
    ["four_eyes", { ...DECIDED, decided_by_id: "mem_1" }],
    ["time_runs_forward", { ...DECIDED, decided_at: "2025-12-31" }],
  ],
  role_grant: [
    ["state_known", { ...CONFIRMED, state: "done" }],
    ["confirmed_by_another", { ...CONFIRMED, decided_by_id: "mem_1" }],
    ["confirmed_by_another", { ...CONFIRMED, decided_by_id: "mem_owner" }],
  ],
  topup_policy_proposal: [
    ["state_known", { ...CONFIRMED, state: "done" }],
    ["two_people", { ...CONFIRMED, decided_by_id: "mem_1" }],
    ["time_runs_forward", { ...CONFIRMED, decided_at: "2025-12-31" }],
  ],
  suspense_refund: [
    ["state_known", { state: "done", decided_by_id: "mem_2", decided_at: "2026-01-02" }],
    ["two_people", { ...CONFIRMED_REFUND, decided_by_id: "mem_1" }],
    ["due_while_open", { ...CONFIRMED_REFUND, due_at: null }],
    ["time_runs_forward", { ...CONFIRMED_REFUND, decided_at: "2025-12-31" }],
  ],
  manual_resolution: [
    ["state_known", { ...CONFIRMED_RESOLUTION, state: "done" }],
    ["decided_by_type_known", { ...CONFIRMED_RESOLUTION, state: "rejected", decided_by_type: "api_key" }],
    ["operator_confirms", { ...CONFIRMED_RESOLUTION, decided_by_type: "member" }],
    ["two_people", { ...CONFIRMED_RESOLUTION, decided_by_id: " Maria Lopez" }],
    ["time_runs_forward", { ...CONFIRMED_RESOLUTION, decided_at: "2025-12-31" }],
  ],
  journal_entry: [
    ["state_known", { ...CONFIRMED, state: "superseded" }],
    ["two_people", { ...CONFIRMED, decided_by_id: "MARIA LOPEZ " }],
    ["time_runs_forward", { ...CONFIRMED, decided_at: "2025-12-31" }],
  ],
};

/** The texts that a CHECK lists. */
async function literalsOf(check: string): Promise<string[]> {
  const [row] = await probe.run<{ text: string }>(
    "SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = $1",
    [check],
  );
  return [...(row?.text ?? "").matchAll(/'([^']+)'/g)].map(([, literal = ""]) => literal).sort();
}

describe("values", () => {
  it("a valid row of every table is accepted", async () => {
    // A refund needs entries in the ledger, which are refused without each other.
    const isAlone = (name: string) => !name.startsWith("ledger_") && name !== "suspense_refund";
    for (const table of Object.keys(ROWS).filter(isAlone))
      expect([table, await probe.refusedBy(() => probe.insertWithNeeds(table))]).toEqual([table, "nothing"]);
    expect(await probe.refusedBy(() => probe.insertTransfer())).toBe("nothing");
  });

  it("an intent is accepted in each of its terminal states, and a payment when the payer must act", async () => {
    for (const [table, states] of Object.entries(TERMINAL_STATES))
      for (const state of states) expect(await probe.refusedBy(() => probe.insert(table, state))).toBe("nothing");
    const acting = { status: "requires_action", next_action: { type: "display_qr_code" } };
    expect(await probe.refusedBy(() => probe.insert("payment_intent", acting))).toBe("nothing");
  });

  const casesOf = (checks: typeof CHECKS) =>
    Object.entries(checks).flatMap(([table, refusals]) =>
      refusals.map(([check, change]) => [table, check, change] as const),
    );
  const [cases, decisions] = [casesOf(CHECKS), casesOf(DECISIONS)];
  it.each(cases)("%s refuses a row by %s: %j", async (table, check, change) => {
    // Checks are tried by name; a change that breaks two would hide the one it is meant for.
    expect(await probe.refusedBy(() => probe.insertWithNeeds(table, change))).toBe(`${table}_${check}`);
  });

  it.each(decisions)("%s refuses a decision by %s: %j", async (table, check, change) => {
    const set = Object.keys(change).map((column, n) => `${column} = $${n + 1}`);
    const rule = await probe.refusedBy(async () => {
      await probe.insertWithNeeds(table);
      await probe.run(`UPDATE ${table} SET ${set.join(", ")}`, Object.values(change));
    });
    expect(rule).toBe(`${table}_${check}`);
  });

  it("no CHECK of the database is without a row that it refuses", async () => {
    const rows = await probe.run<{ name: string }>(
      "SELECT conname AS name FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace",
    );
    const tried = new Set([...cases, ...decisions].map(([table, check]) => `${table}_${check}`));
    expect(rows.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });

  it.each([
    ["payment_intent_status_known", PAYMENT_STATUSES],
    ["payout_intent_status_known", PAYOUT_STATUSES],
    ["topup_intent_status_known", TOPUP_STATUSES],
    ["payment_intent_next_action_type_known", NEXT_ACTION_TYPES],
    ["topup_intent_source_type_known", SOURCE_TYPES],
    ["topup_intent_fee_mode_known", FEE_MODES],
    ["topup_terms_fee_mode_known", FEE_MODES],
    ["topup_terms_overpayment_known", TOPUP_POLICIES],
    ["topup_terms_underpayment_known", TOPUP_POLICIES],
    ["topup_terms_late_payment_known", TOPUP_POLICIES],
    ["topup_intent_overpayment_known", TOPUP_POLICIES],
    ["topup_intent_underpayment_known", TOPUP_POLICIES],
    ["topup_intent_late_payment_known", TOPUP_POLICIES],
    ["merchant_checkout_mode_known", CHECKOUT_MODES],
    ["member_roles_known", ROLES],
    ["approval_policy_state_known", POLICY_STATES],
    ["event_type_known", EVENT_TYPES],
    ["ledger_account_kind_known", [...LEDGER_ACCOUNTS, "^provider_clearing:[a-z][a-z0-9_-]{0,31}$"]],
    ["ledger_transaction_reason_known", LEDGER_REASONS],
    ["payment_intent_environment_known", ENVIRONMENTS],
    ["exception_kind_known", EXCEPTION_KINDS],
    ["settlement_line_kind_known", LINE_KINDS],
    ["settlement_line_verdict_known", LINE_VERDICTS],
    ["webhook_endpoint_event_types_known", EVENT_TYPES],
    ["webhook_endpoint_state_known", ENDPOINT_STATES],
    ["webhook_endpoint_disabled_reason_known", DISABLED_REASONS],
    ["delivery_state_known", DELIVERY_STATES],
    ["saved_view_list_known", VIEW_LISTS],
    ["search_term_kind_known", SEARCHED_INTENTS],
    ["search_term_field_known", SEARCH_FIELDS],
    ["notification_registration_channel_known", CHANNELS],
    ["notification_registration_types_known", [...NOTIFICATION_TYPES, "{}"]],
    ["notification_registration_pace_known", PACES],
    ["notification_type_known", SENT_TYPES],
    ["notification_state_known", NOTIFICATION_STATES],
    ["manual_resolution_state_known", RESOLUTION_STATES],
    ["suspense_refund_state_known", REFUND_STATES],
    ["journal_entry_state_known", JOURNAL_STATES],
    ["journal_entry_from_account_known", JOURNAL_ACCOUNTS],
    ["journal_entry_to_account_known", JOURNAL_ACCOUNTS],
  ])("%s lists exactly what the domain lists", async (check, list) => {
    expect(await literalsOf(check)).toEqual([...list].sort());
  });

  it("the failure codes of the three kinds are together the domain's closed set", async () => {
    const listed = new Set<string>();
    for (const kind of ["payment", "payout", "topup"])
      for (const code of await literalsOf(`${kind}_intent_failure_code_known`)) listed.add(code);
    expect([...listed].sort()).toEqual([...FAILURE_CODES].sort());
  });
});
