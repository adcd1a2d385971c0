// Tests access control: every procedure of the router × every role × own and other merchant × environment.

import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { openException } from "@/server/db/exceptions";
import { clearCaches, failStatement } from "@/server/db/testing/failing-statements";
import { FIRST_POLICY } from "@/server/domain/approval-policy";
import { ROLES, type Role } from "@/server/domain/permissions";
import { ENVIRONMENTS, type Scope } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { configureGateways } from "@/server/psp/registry";
import { createApiKey } from "@/server/services/api-keys/create";
import { flushApiLog, recordApiCall } from "@/server/services/api-logs/record";
import { rejectPolicy } from "@/server/services/approval-policies/decide";
import { proposePolicy } from "@/server/services/approval-policies/propose";
import { showPolicies } from "@/server/services/approval-policies/show";
import { applyDueCallbacks } from "@/server/services/callbacks/receive-callback";
import { storeCallback } from "@/server/services/callbacks/store";
import { listExceptions } from "@/server/services/exceptions/list";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { changeRoles, inviteMember } from "@/server/services/members/manage";
import { listOpenGrants } from "@/server/services/members/role-grants";
import { saveView } from "@/server/services/members/saved-views";
import { openProposal, rejectTopupPolicies } from "@/server/services/merchant-settings/topup-policies";
import { OPERATOR } from "@/server/services/merchants/operator";
import { registerForNotifications } from "@/server/services/notifications/registrations";
import { createPaymentIntent } from "@/server/services/payments/create";
import { createBatch } from "@/server/services/payout-batches/create";
import { previewBatch } from "@/server/services/payout-batches/preview";
import { approvalDigest } from "@/server/services/payouts/approval-digest";
import { cancelPayoutIntent } from "@/server/services/payouts/cancel";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { saveRecipient } from "@/server/services/recipients/save";
import { reconcile } from "@/server/services/reconciliation/reconcile";
import { confirmRefund } from "@/server/services/refunds/decide";
import { proposeRefund } from "@/server/services/refunds/propose";
import { proposeResolution } from "@/server/services/resolutions/propose";
import { simulate } from "@/server/services/sandbox/simulate";
import { createTopupIntent } from "@/server/services/topups/create";
import { listDeliveries } from "@/server/services/webhooks/deliveries";
import { makeEndpoint } from "@/server/services/webhooks/testing/deliveries";
import { makeMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { appRouter, createCaller } from "./router";

const inEnglish = () => Promise.resolve("en" as const);

interface Objects {
  readonly payment: string;
  readonly payout: string;
  readonly topup: string;
  readonly endpoint: string;
  readonly delivery: string;
  readonly event: string;
  readonly apiKey: string;
  /** The version of a proposed policy, or one that does not exist. */
  readonly proposal: number;
  /** A member with the role finance. */
  readonly member: string;
  readonly grant: string;
  /** A request in the request log. */
  readonly request: string;
  /** One without money, and one whose money is in suspense. */
  readonly exception: string;
  readonly suspended: string;
  /** A refund of another such exception that awaits another person, one that is confirmed, and a proposal of its end. */
  readonly refund: string;
  readonly confirmedRefund: string;
  readonly finding: string;
  /** About a callback that cannot be applied. */
  readonly unapplied: string;
  readonly settlementFile: string;
  /** A saved recipient of payouts. */
  readonly recipient: string;
  /** Of one payout. */
  readonly batch: string;
  /** A saved view of the calling member. */
  readonly view: string;
  /** A registration of the calling member for notifications. */
  readonly registration: string;
  /** The digest that was shown with the payout. */
  readonly digest: string;
}

interface ProcedureRow {
  readonly roles: readonly Role[];
  readonly input: (objects: Objects) => object;
  /** What a caller gets for another merchant's object: not_found, or an answer without it. */
  readonly onForeign: "not_found" | "nothing_of_theirs";
  /** For data of the merchant as a whole, which is the same in both environments. */
  readonly isShared?: true;
  /** The result of an allowed call; `answered` by default. */
  readonly reached?: string;
  /** Runs before each call, if one call would prevent the next. */
  readonly before?: (merchant: TestMerchant) => Promise<void>;
}

const PASSWORD = "correct horse battery";
/** For acts that take a proof. */
const PROOF = { password: PASSWORD };
const EVERYONE = ROLES;
const DECIDERS: readonly Role[] = ["owner", "admin", "approver"];
const BOOKKEEPERS: readonly Role[] = ["owner", "admin", "finance"];
const ADMINS: readonly Role[] = ["owner", "admin"];
const INTEGRATORS: readonly Role[] = ["owner", "admin", "developer"];
/** Nothing listens there, so a test fails immediately; and an address that can be saved and is never sent to. */
const CLOSED = "http://127.0.0.1:9/hooks";
const RECEIVER = "https://9.9.9.9/hooks";
process.env.WEBHOOK_ALLOW_LOOPBACK = "true";
/** A provider that offers nothing, so that the sandbox gets all work. */
const BRIDGE = { name: "bridge", url: "http://127.0.0.1:9", secret: "s".repeat(32), environments: ["test"] };
configureGateways(JSON.stringify([BRIDGE]));
/** Of a registration for notifications. */
const TERMS = { types: ["security"], pace: "daily", time_zone: "UTC", daily_at: "09:00", quiet_hours: null };
const SHOWN = { newest: null, ids: [] };

/** Acts on a member who is neither owner nor admin. */
const ON_MEMBER = {
  roles: ADMINS,
  input: ({ member: id }: Objects) => ({ id }),
  onForeign: "not_found",
  isShared: true,
} as const;

/** Every role gets as far as the error about the code or the password. */
const ON_OWN_ACCOUNT = {
  roles: EVERYONE,
  input: () => ({ code: "wrong", password: "wrong" }),
  onForeign: "nothing_of_theirs",
  reached: "BAD_REQUEST",
} as const;

/** A registration that no authenticator made. */
const UNSIGNED = {
  id: "AA",
  rawId: "AA",
  type: "public-key",
  response: { clientDataJSON: "AA", attestationObject: "AA" },
};

/** One row per procedure: which roles may call it. A procedure without a row fails the test below. */
const MATRIX: Readonly<Record<string, ProcedureRow>> = {
  "session.me": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "session.chooseTimeZone": {
    roles: EVERYONE,
    input: () => ({ time_zone: "Asia/Tokyo" }),
    onForeign: "nothing_of_theirs",
  },
  "session.chooseLanguage": { roles: EVERYONE, input: () => ({ language: "es" }), onForeign: "nothing_of_theirs" },
  "session.signOutEverywhere": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "changes.stream": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "overview.figures": {
    roles: EVERYONE,
    input: () => ({ period: { days: 7 }, time_zone: "UTC" }),
    onForeign: "nothing_of_theirs",
  },
  "overview.waiting": { roles: DECIDERS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "paymentIntents.list": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "paymentIntents.watch": {
    roles: EVERYONE,
    input: ({ payment: id }) => ({ shown: { ...SHOWN, ids: [id] } }),
    onForeign: "nothing_of_theirs",
  },
  "paymentIntents.get": { roles: EVERYONE, input: ({ payment: id }) => ({ id }), onForeign: "not_found" },
  "payoutIntents.list": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "payoutIntents.watch": {
    roles: EVERYONE,
    input: ({ payout: id }) => ({ shown: { ...SHOWN, ids: [id] } }),
    onForeign: "nothing_of_theirs",
  },
  "payoutIntents.waiting": { roles: DECIDERS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "payoutIntents.warnings": {
    roles: DECIDERS,
    input: ({ payout: id }) => ({ ids: [id] }),
    onForeign: "nothing_of_theirs",
  },
  "payoutIntents.get": { roles: EVERYONE, input: ({ payout: id }) => ({ id }), onForeign: "not_found" },
  "payoutIntents.create": {
    roles: BOOKKEEPERS,
    input: ({ recipient }) => ({ recipient_id: recipient, amount: "100", merchant_reference: newId("request") }),
    onForeign: "not_found",
  },
  "payoutBatches.get": { roles: EVERYONE, input: ({ batch: id }) => ({ id }), onForeign: "not_found" },
  // The batch is not as it was shown, so a member who may decide gets that answer.
  "payoutBatches.approve": {
    roles: DECIDERS,
    input: ({ batch: id }) => ({ id, digest: "" }),
    onForeign: "not_found",
    reached: "UNPROCESSABLE_CONTENT",
  },
  // A file without lines: every role that may create gets as far as that error.
  "payoutBatches.preview": {
    roles: BOOKKEEPERS,
    input: () => ({ text: "" }),
    onForeign: "nothing_of_theirs",
    reached: "BAD_REQUEST",
  },
  "payoutBatches.create": {
    roles: BOOKKEEPERS,
    input: () => ({ text: "", name: "payouts.csv", digest: "" }),
    onForeign: "nothing_of_theirs",
    reached: "BAD_REQUEST",
  },
  "payoutRecipients.list": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "payoutRecipients.save": {
    roles: BOOKKEEPERS,
    // A currency that the merchant does not have: every role that may save gets as far as that error.
    input: () => ({
      account_number: "0001-123456",
      bank_code: "001",
      holder_name: "Ana Souza",
      country: "BR",
      currency: "MXN",
    }),
    onForeign: "nothing_of_theirs",
    reached: "BAD_REQUEST",
  },
  "payoutRecipients.remove": { roles: BOOKKEEPERS, input: ({ recipient: id }) => ({ id }), onForeign: "not_found" },
  "payoutIntents.approve": {
    roles: DECIDERS,
    input: ({ payout: id, digest }) => ({ id, digest }),
    onForeign: "not_found",
  },
  "payoutIntents.approveMany": {
    roles: DECIDERS,
    input: ({ payout: id, digest }) => ({ payouts: [{ id, digest }] }),
    onForeign: "nothing_of_theirs",
  },
  // The payout is not held, so a member who may decide gets that answer.
  "payoutIntents.decideHold": {
    roles: DECIDERS,
    input: ({ payout: id }) => ({ id, decision: "refuse" }),
    onForeign: "not_found",
    reached: "UNPROCESSABLE_CONTENT",
  },
  "payoutIntents.cancel": { roles: DECIDERS, input: ({ payout: id }) => ({ id }), onForeign: "not_found" },
  "payoutIntents.cancelMany": {
    roles: DECIDERS,
    input: ({ payout: id }) => ({ ids: [id] }),
    onForeign: "nothing_of_theirs",
  },
  "topupIntents.list": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "topupIntents.watch": {
    roles: EVERYONE,
    input: ({ topup: id }) => ({ shown: { ...SHOWN, ids: [id] } }),
    onForeign: "nothing_of_theirs",
  },
  "topupIntents.create": {
    roles: BOOKKEEPERS,
    // A currency that the merchant does not have: every role that may create gets as far as that error.
    input: () => ({
      destination: { amount: "100000", currency: "MXN" },
      source: { type: "provider_gateway", currency: "USDT" },
      country: "BR",
      merchant_reference: newId("request"),
    }),
    onForeign: "nothing_of_theirs",
    reached: "BAD_REQUEST",
  },
  "topupIntents.get": { roles: EVERYONE, input: ({ topup: id }) => ({ id }), onForeign: "not_found" },
  "filterChoices.list": { roles: EVERYONE, input: () => ({ list: "payouts" }), onForeign: "nothing_of_theirs" },
  "search.find": { roles: EVERYONE, input: ({ payment: text }) => ({ text }), onForeign: "nothing_of_theirs" },
  "savedViews.list": { roles: EVERYONE, input: () => ({ list: "payouts" }), onForeign: "nothing_of_theirs" },
  "savedViews.save": {
    roles: EVERYONE,
    input: () => ({ list: "payouts", name: newId("savedView"), query: "status=failed" }),
    onForeign: "nothing_of_theirs",
  },
  "savedViews.rename": {
    roles: EVERYONE,
    input: ({ view: id }) => ({ id, name: newId("savedView") }),
    onForeign: "not_found",
  },
  "savedViews.remove": { roles: EVERYONE, input: ({ view: id }) => ({ id }), onForeign: "not_found" },
  "notifications.list": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "notifications.create": {
    roles: EVERYONE,
    input: () => ({ ...TERMS, channel: "slack", url: RECEIVER }),
    onForeign: "nothing_of_theirs",
    before: removeRegistrations,
  },
  "notifications.update": {
    roles: EVERYONE,
    input: ({ registration: id }) => ({ ...TERMS, id }),
    onForeign: "not_found",
  },
  "notifications.test": { roles: EVERYONE, input: ({ registration: id }) => ({ id }), onForeign: "not_found" },
  "notifications.remove": { roles: EVERYONE, input: ({ registration: id }) => ({ id }), onForeign: "not_found" },
  "wallets.list": {
    roles: ["owner", "admin", "approver", "finance"],
    input: () => ({}),
    onForeign: "nothing_of_theirs",
  },
  "wallets.statement": {
    roles: ["owner", "admin", "approver", "finance"],
    input: () => ({ currency: "BRL", account: "available" }),
    onForeign: "nothing_of_theirs",
  },
  "wallets.statementSummary": {
    roles: ["owner", "admin", "approver", "finance"],
    input: () => ({ currency: "BRL", account: "available" }),
    onForeign: "nothing_of_theirs",
  },
  "wallets.watchStatement": {
    roles: ["owner", "admin", "approver", "finance"],
    input: () => ({ currency: "BRL", account: "available", newest: null }),
    onForeign: "nothing_of_theirs",
  },
  "wallets.balanceDays": {
    roles: ["owner", "admin", "approver", "finance"],
    input: () => ({ currency: "BRL", account: "available", days: 30, time_zone: "UTC" }),
    onForeign: "nothing_of_theirs",
  },
  "webhookEvents.list": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "webhookEvents.verification": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "webhookEvents.schema": {
    roles: EVERYONE,
    input: () => ({ type: "payment_intent.succeeded" }),
    onForeign: "nothing_of_theirs",
  },
  "events.list": { roles: INTEGRATORS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "events.get": { roles: INTEGRATORS, input: ({ event: id }) => ({ id }), onForeign: "not_found" },
  "webhookEndpoints.list": { roles: INTEGRATORS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "webhookEndpoints.get": { roles: INTEGRATORS, input: ({ endpoint: id }) => ({ id }), onForeign: "not_found" },
  "webhookEndpoints.health": { roles: INTEGRATORS, input: ({ endpoint: id }) => ({ id }), onForeign: "not_found" },
  "webhookEndpoints.history": { roles: INTEGRATORS, input: ({ endpoint: id }) => ({ id }), onForeign: "not_found" },
  "webhookEndpoints.create": { roles: INTEGRATORS, input: () => ({ url: RECEIVER }), onForeign: "nothing_of_theirs" },
  "webhookEndpoints.update": {
    roles: INTEGRATORS,
    input: ({ endpoint: id }) => ({ id, description: "shop" }),
    onForeign: "not_found",
  },
  "webhookEndpoints.rotateSecret": {
    roles: INTEGRATORS,
    input: ({ endpoint: id }) => ({ id }),
    onForeign: "not_found",
  },
  "webhookEndpoints.test": { roles: INTEGRATORS, input: ({ endpoint: id }) => ({ id }), onForeign: "not_found" },
  "webhookEndpoints.remove": { roles: INTEGRATORS, input: ({ endpoint: id }) => ({ id }), onForeign: "not_found" },
  "apiKeys.list": { roles: INTEGRATORS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "apiKeys.otherApprovers": { roles: INTEGRATORS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "apiKeys.create": { roles: INTEGRATORS, input: () => ({ name: "shop" }), onForeign: "nothing_of_theirs" },
  "apiKeys.roll": {
    roles: INTEGRATORS,
    input: ({ apiKey: id }) => ({ id, grace_seconds: 60 }),
    onForeign: "not_found",
  },
  "apiKeys.revoke": { roles: INTEGRATORS, input: ({ apiKey: id }) => ({ id }), onForeign: "not_found" },
  "apiLogs.count": { roles: INTEGRATORS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "apiLogs.list": { roles: INTEGRATORS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "apiLogs.get": { roles: INTEGRATORS, input: ({ request: id }) => ({ id }), onForeign: "not_found" },
  "providers.list": {
    roles: ["owner", "admin", "finance", "developer"],
    input: () => ({}),
    onForeign: "nothing_of_theirs",
  },
  "exceptions.list": { roles: BOOKKEEPERS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "exceptions.count": { roles: BOOKKEEPERS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "exceptions.take": { roles: BOOKKEEPERS, input: ({ exception: id }) => ({ id }), onForeign: "not_found" },
  "exceptions.resolve": {
    roles: BOOKKEEPERS,
    input: ({ exception: id }) => ({ id, resolution: "Seen." }),
    onForeign: "not_found",
  },
  "exceptions.owners": { roles: BOOKKEEPERS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "exceptions.assignMany": {
    roles: BOOKKEEPERS,
    input: ({ exception, member }) => ({ ids: [exception], member_id: member }),
    onForeign: "nothing_of_theirs",
  },
  "exceptions.resolveMany": {
    roles: BOOKKEEPERS,
    input: ({ exception }) => ({ ids: [exception], resolution: "Seen." }),
    onForeign: "nothing_of_theirs",
  },
  "exceptions.settle": {
    roles: BOOKKEEPERS,
    input: ({ suspended: id }) => ({ id, as: "refund", resolution: "Sent back." }),
    onForeign: "not_found",
  },
  "exceptions.callback": { roles: BOOKKEEPERS, input: ({ unapplied: id }) => ({ id }), onForeign: "not_found" },
  "exceptions.applyCallback": { roles: BOOKKEEPERS, input: ({ unapplied: id }) => ({ id }), onForeign: "not_found" },
  "refunds.propose": {
    roles: BOOKKEEPERS,
    input: ({ suspended: id }) => ({ id, reason: "Paid late." }),
    onForeign: "not_found",
  },
  "refunds.confirm": { roles: ["owner", "admin"], input: ({ refund: id }) => ({ id }), onForeign: "not_found" },
  "refunds.reject": { roles: BOOKKEEPERS, input: ({ refund: id }) => ({ id }), onForeign: "not_found" },
  "refunds.proposeEnd": {
    roles: BOOKKEEPERS,
    input: ({ confirmedRefund: id }) => ({ id, outcome: "failed", evidence: "A letter of the provider." }),
    onForeign: "not_found",
  },
  "refunds.rejectEnd": { roles: BOOKKEEPERS, input: ({ finding: id }) => ({ id }), onForeign: "not_found" },
  "approvalPolicies.show": {
    roles: ["owner", "admin", "approver", "finance"],
    input: () => ({}),
    onForeign: "nothing_of_theirs",
  },
  "approvalPolicies.propose": {
    roles: ADMINS,
    input: () => ({ policy: { default_approvals: 1, rules: [] } }),
    onForeign: "nothing_of_theirs",
    before: clearProposals,
  },
  "approvalPolicies.confirm": {
    roles: ADMINS,
    input: ({ proposal: version }) => ({ version }),
    onForeign: "not_found",
  },
  "approvalPolicies.reject": { roles: ADMINS, input: ({ proposal: version }) => ({ version }), onForeign: "not_found" },
  "payoutLimits.show": {
    roles: ["owner", "admin", "approver", "finance"],
    input: () => ({}),
    onForeign: "nothing_of_theirs",
  },
  "payoutLimits.set": {
    roles: ADMINS,
    input: ({ apiKey }) => ({
      api_key_id: apiKey,
      currency: "BRL",
      amount_at_most: "1000000",
      day_at_most: null,
      recipient_day_at_most: null,
    }),
    onForeign: "not_found",
  },
  "reconciliation.files": { roles: BOOKKEEPERS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "reconciliation.file": { roles: BOOKKEEPERS, input: ({ settlementFile: id }) => ({ id }), onForeign: "not_found" },
  "reconciliation.month": {
    roles: BOOKKEEPERS,
    input: () => ({ month: "2026-11", time_zone: "UTC" }),
    onForeign: "nothing_of_theirs",
  },
  "reconciliation.providers": { roles: BOOKKEEPERS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "reconciliation.preview": {
    roles: BOOKKEEPERS,
    input: () => ({ provider: "sandbox", name: "day.csv", text: "" }),
    onForeign: "nothing_of_theirs",
    reached: "BAD_REQUEST",
  },
  "reconciliation.upload": {
    roles: BOOKKEEPERS,
    input: () => ({ provider: "sandbox", name: "day.csv", text: "", digest: "" }),
    onForeign: "nothing_of_theirs",
    reached: "BAD_REQUEST",
  },
  "members.stepUp": { roles: ADMINS, input: () => ({}), onForeign: "nothing_of_theirs" },
  // No member here has codes set up; members who may change the setting get that error.
  "members.setStepUp": {
    roles: ADMINS,
    input: () => ({ required_for: ["approve"], code: "000000" }),
    onForeign: "nothing_of_theirs",
    reached: "BAD_REQUEST",
  },
  "account.totp": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "account.access": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "account.sessions": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "account.endSession": { roles: EVERYONE, input: () => ({ id: newId("session") }), onForeign: "nothing_of_theirs" },
  "account.endOtherSessions": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "account.notices": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "account.passkeys": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "account.beginPasskey": { ...ON_OWN_ACCOUNT, input: () => ({ password: "not it" }) },
  "account.confirmPasskey": {
    ...ON_OWN_ACCOUNT,
    input: () => ({ name: "Key", registration: UNSIGNED }),
  },
  "account.removePasskey": {
    roles: EVERYONE,
    input: () => ({ id: newId("passkey") }),
    onForeign: "not_found",
    reached: "NOT_FOUND",
  },
  "account.beginPasskeyProof": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "account.beginTotp": { ...ON_OWN_ACCOUNT, input: () => ({ password: "not it" }) },
  "account.confirmTotp": ON_OWN_ACCOUNT,
  "account.removeTotp": ON_OWN_ACCOUNT,
  "account.changeName": {
    ...ON_OWN_ACCOUNT,
    input: () => ({ name: "Ana", password: "not it" }),
    reached: "PRECONDITION_FAILED",
  },
  "account.changePassword": { ...ON_OWN_ACCOUNT, input: () => ({ current: "not it", next: "a long enough one" }) },
  "audit.chain": { roles: BOOKKEEPERS, input: () => ({}), onForeign: "nothing_of_theirs", isShared: true },
  "audit.list": { roles: BOOKKEEPERS, input: () => ({}), onForeign: "nothing_of_theirs" },
  "members.list": { roles: ADMINS, input: () => ({}), onForeign: "nothing_of_theirs", isShared: true },
  "members.invite": {
    roles: ADMINS,
    input: () => ({ email: `${newId("member")}@shop.example`, roles: ["finance"] }),
    onForeign: "nothing_of_theirs",
  },
  "merchantSettings.show": { roles: EVERYONE, input: () => ({}), onForeign: "nothing_of_theirs" },
  "merchantSettings.setName": {
    roles: ["owner"],
    input: () => ({ name: "Padaria Estrela" }),
    onForeign: "nothing_of_theirs",
    isShared: true,
  },
  "merchantSettings.setBrand": {
    roles: ["owner"],
    input: () => ({ color: "#1b7f5c" }),
    onForeign: "nothing_of_theirs",
    isShared: true,
  },
  "merchantSettings.setCheckoutMode": {
    roles: ["owner"],
    input: () => ({ mode: "hosted" }),
    onForeign: "nothing_of_theirs",
    isShared: true,
  },
  "merchantSettings.changeTopupPolicies": {
    roles: ["owner"],
    input: () => ({ overpayment: "hold", underpayment: "hold", late_payment: "hold" }),
    onForeign: "nothing_of_theirs",
    isShared: true,
    before: clearTopupProposals,
  },
  "merchantSettings.confirmTopupPolicies": {
    roles: ADMINS,
    // Proposals are made in live only: topup-policies.db.test.ts has them.
    input: () => ({ id: newId("topupPolicyProposal") }),
    onForeign: "not_found",
    reached: "NOT_FOUND",
  },
  "merchantSettings.rejectTopupPolicies": {
    roles: ADMINS,
    // Proposals are made in live only: topup-policies.db.test.ts has them.
    input: () => ({ id: newId("topupPolicyProposal") }),
    onForeign: "not_found",
    reached: "NOT_FOUND",
  },
  "members.setTestRoles": { ...ON_MEMBER, input: ({ member: id }) => ({ id, roles: ["developer"] }) },
  "members.setRoles": { ...ON_MEMBER, input: ({ member: id }) => ({ id, roles: ["finance", "developer"] }) },
  "members.confirmGrant": {
    roles: ADMINS,
    input: ({ grant: grant_id }) => ({ grant_id }),
    onForeign: "not_found",
    isShared: true,
  },
  "members.rejectGrant": {
    roles: ADMINS,
    input: ({ grant: grant_id }) => ({ grant_id }),
    onForeign: "not_found",
    isShared: true,
  },
  "members.disable": ON_MEMBER,
  "members.enable": ON_MEMBER,
  "members.endSessions": ON_MEMBER,
  "members.revokeLink": ON_MEMBER,
  "members.resetPassword": ON_MEMBER,
  "deliveries.list": {
    roles: INTEGRATORS,
    input: ({ endpoint }) => ({ endpoint_id: endpoint }),
    onForeign: "not_found",
  },
  "deliveries.resendMany": {
    roles: INTEGRATORS,
    input: ({ delivery }) => ({ ids: [delivery] }),
    onForeign: "nothing_of_theirs",
  },
  "deliveries.resend": { roles: INTEGRATORS, input: ({ delivery: id }) => ({ id }), onForeign: "not_found" },
  "deliveries.replay": {
    roles: INTEGRATORS,
    input: ({ endpoint }) => ({ endpoint_id: endpoint, since: new Date().toISOString() }),
    onForeign: "not_found",
  },
};

/**
 * These end the object that they are called on, or affect only the caller's, so each call needs an object of its own.
 */
const MADE_ANEW: Readonly<Record<string, (merchant: TestMerchant, caller: string) => Promise<Partial<Objects>>>> = {
  "payoutIntents.approve": makePayout,
  "payoutIntents.approveMany": makePayout,
  "payoutIntents.cancel": makePayout,
  "payoutIntents.cancelMany": makePayout,
  "payoutRecipients.remove": makeRecipient,
  "apiKeys.roll": makeApiKey,
  "members.confirmGrant": makeGrant,
  "members.rejectGrant": makeGrant,
  "approvalPolicies.confirm": makeProposal,
  "approvalPolicies.reject": makeProposal,
  "exceptions.resolve": makeException,
  "exceptions.resolveMany": makeException,
  "exceptions.settle": makeSuspended,
  "refunds.propose": makeSuspended,
  "refunds.confirm": makeRefund,
  "refunds.reject": makeRefund,
  "refunds.proposeEnd": makeConfirmedRefund,
  "refunds.rejectEnd": makeFinding,
  "notifications.update": makeRegistration,
  "notifications.test": makeRegistration,
  "notifications.remove": makeRegistration,
  "savedViews.rename": makeView,
  "savedViews.remove": makeView,
  "webhookEndpoints.remove": async (merchant) => ({ endpoint: (await makeEndpoint(merchant, CLOSED)).endpoint.id }),
};

const NO_VERSION = 999_999;

/** Well-formed ids of objects that do not exist. */
const NOTHING = (): Objects => ({
  payment: newId("paymentIntent"),
  payout: newId("payoutIntent"),
  topup: newId("topupIntent"),
  endpoint: newId("webhookEndpoint"),
  delivery: newId("delivery"),
  event: newId("event"),
  apiKey: newId("apiKey"),
  proposal: NO_VERSION,
  member: newId("member"),
  grant: newId("roleGrant"),
  request: newId("request"),
  exception: newId("exception"),
  suspended: newId("exception"),
  refund: newId("suspenseRefund"),
  confirmedRefund: newId("suspenseRefund"),
  finding: newId("manualResolution"),
  unapplied: newId("exception"),
  settlementFile: newId("settlementFile"),
  recipient: newId("payoutRecipient"),
  batch: newId("payoutBatch"),
  view: newId("savedView"),
  registration: newId("notificationRegistration"),
  digest: "",
});

/** A member with a role in the test environment only. */
const TESTER = "tester";
/** What both environments share takes roles of live. */
const SHARED_PERMISSIONS = new Set([
  "manage_settings",
  "decide_settings",
  "manage_members",
  "manage_step_up",
  "read_audit",
]);

const PATHS = Object.keys(appRouter._def.procedures);
let [own, other]: TestMerchant[] = [];
let [owns, others]: Objects[] = [];

beforeAll(async () => {
  [own, other] = [await makeMerchant(["BRL", "USDT"]), await makeMerchant(["BRL", "USDT"])];
  await query(
    `INSERT INTO member (merchant_id, id, email, password_hash, roles)
     SELECT $1, 'mem_' || role, role || '@shop.example', $3, ARRAY[role] FROM unnest($2::text[]) AS role`,
    own.merchantId,
    ROLES,
    await hash(PASSWORD, { memoryCost: 1_024, timeCost: 1 }),
  );
  await query(
    `INSERT INTO member (merchant_id, id, email, password_hash, roles, test_roles)
     SELECT merchant_id, 'mem_tester', 'tester@shop.example', password_hash, '{}', '{owner}'
     FROM member WHERE merchant_id = $1 AND id = 'mem_owner'`,
    own.merchantId,
  );
  [owns, others] = [await makeObjects(own, "mem_owner"), await makeObjects(other)];
});
// Rows about passwords and codes fail on purpose; a pause would refuse the proofs of later rows.
beforeEach(() => query("DELETE FROM sign_in_count"));
afterAll(() => disconnect());

function world() {
  if (!own || !other || !owns || !others) throw new Error("there are no merchants");
  return { mine: own, owns, others };
}

async function makePayout({ context }: TestMerchant) {
  const { intent } = await createPayoutIntent(context, payout(), withoutIdempotency());
  return { payout: intent.id, digest: approvalDigest(intent) };
}

async function makeApiKey({ context }: TestMerchant) {
  return { apiKey: (await createApiKey(context, "shop")).id };
}

async function clearProposals({ merchantId, byMember }: TestMerchant): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    const scope = { merchantId, environment };
    const { proposed } = await showPolicies(scope);
    if (proposed) await rejectPolicy({ ...byMember(), scope }, proposed.version);
  }
}

async function clearTopupProposals({ merchantId, byMember }: TestMerchant): Promise<void> {
  const scope = { merchantId, environment: "live" } as const;
  const open = await openProposal(scope);
  if (open) await rejectTopupPolicies({ ...byMember(), scope }, open.id);
}

async function makeProposal(merchant: TestMerchant) {
  await clearProposals(merchant);
  return { proposal: (await proposePolicy(merchant.byMember(), FIRST_POLICY)).version };
}

async function makeMember({ context }: TestMerchant) {
  const person = { email: `${newId("member")}@shop.example`, roles: ["finance"] };
  return { member: (await inviteMember({ ...context, actor: OPERATOR }, person)).id };
}

async function makeGrant(merchant: TestMerchant) {
  const { member } = await makeMember(merchant);
  await changeRoles(merchant.byMember(), member, ["approver"]);
  const grants = await listOpenGrants(merchant.merchantId);
  return { grant: grants.find(({ memberId }) => memberId === member)?.id ?? "" };
}

async function makeRequest({ scope, context }: TestMerchant) {
  const id = newId("request");
  const call = { scope, apiKeyId: context.actor.id, requestId: id, method: "GET", route: "/x", path: "/v1/x" };
  recordApiCall({ ...call, status: 200, ms: 1, address: "", request: undefined, answer: "{}" });
  await flushApiLog();
  return { request: id };
}

/** An exception without money in suspense. */
async function makeException({ scope }: TestMerchant) {
  const objectId = newId("paymentIntent");
  await openException({ scope, kind: "stuck", objectId, fact: `stuck:${objectId}`, detail: { why: "silence" } }, now());
  return { exception: await exceptionOf(scope, objectId) };
}

/** A payment whose money came after its end. */
async function makeSuspended({ scope, context }: TestMerchant) {
  const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
  for (const outcome of ["expired", "succeeded"]) await simulate(context, intent.id, outcome);
  return { suspended: await exceptionOf(scope, intent.id) };
}

/** A refund that another member proposed. */
async function makeRefund(merchant: TestMerchant) {
  const { suspended } = await makeSuspended(merchant);
  return { refund: (await proposeRefund(merchant.byMember(), suspended, "Paid late.")).id };
}

async function makeConfirmedRefund(merchant: TestMerchant) {
  const { refund } = await makeRefund(merchant);
  return { confirmedRefund: (await confirmRefund(merchant.byMember(), refund)).id };
}

async function makeFinding(merchant: TestMerchant) {
  const { confirmedRefund } = await makeConfirmedRefund(merchant);
  const finding = { outcome: "failed", amount: null, providerReference: null, evidence: "A letter." } as const;
  return { confirmedRefund, finding: (await proposeResolution(merchant.byMember(), confirmedRefund, finding)).id };
}

/** A callback of a provider of the test environment, with invalid content. */
async function makeUnapplied({ merchantId, scope }: TestMerchant) {
  const [callbackId, reference] = [newId("event"), newId("paymentIntent")];
  const body = { callback_id: callbackId, merchant_id: merchantId, reference, status: "exploded" };
  await storeCallback({ provider: BRIDGE.name, callbackId }, JSON.stringify(body));
  await applyDueCallbacks(10, 30_000);
  return { unapplied: await exceptionOf(scope, reference) };
}

/** A provider's file with one line, for the payment. */
async function makeSettlementFile(reference: string) {
  const text = `line_id,kind,reference,provider_reference,amount,currency,fee,settled_at
${reference},payment,${reference},px,1050,BRL,,2020-01-01T00:00:00Z
`;
  const bounds = { from: new Date("2020-01-01T00:00:00Z"), to: new Date("2020-01-02T00:00:00Z") };
  const bytes = new TextEncoder().encode(text);
  const { file } = await reconcile({ provider: "sandbox", environment: "test", name: "day.csv", bytes, ...bounds });
  return { settlementFile: file.id };
}

async function exceptionOf(scope: Scope, objectId: string): Promise<string> {
  const { rows } = await listExceptions(scope, { objectId }, null, 1);
  return rows[0]?.id ?? "";
}

/** A merchant has at most ten endpoints. */
async function removeEndpointsExcept({ merchantId }: TestMerchant, id: string): Promise<void> {
  const others = "merchant_id = $1 AND id <> $2 AND environment = 'test' AND deleted_at IS NULL";
  await query(`UPDATE webhook_endpoint SET deleted_at = now() WHERE ${others}`, merchantId, id);
}

/** An endpoint, and its delivery about a cancelled payout. */
async function makeDelivery(merchant: TestMerchant) {
  const { endpoint } = await makeEndpoint(merchant, CLOSED);
  const { payout: id } = await makePayout(merchant);
  await cancelPayoutIntent(merchant.byMember(), { id, reason: null }, withoutIdempotency());
  const { rows } = await listDeliveries(merchant.scope, { endpointId: endpoint.id }, null, 1);
  return { endpoint: endpoint.id, delivery: rows[0]?.id ?? "", event: rows[0]?.eventId ?? "" };
}

let accounts = 100_000;

async function makeRecipient(merchant: TestMerchant) {
  accounts += 1;
  const details = { holderName: "Ana Souza", accountNumber: String(accounts), bankCode: "001", country: "BR" };
  return { recipient: (await saveRecipient(merchant.byMember(), { ...details, currency: "BRL" })).id };
}

async function makeBatch(merchant: TestMerchant) {
  await makeRecipient(merchant);
  const text = `account_number,bank_code,currency,amount,reference\n${accounts},001,BRL,1.00,${newId("request")}`;
  const member = merchant.byMember();
  const { digest } = await previewBatch(member, text);
  return { batch: (await createBatch(member, { text, name: "payouts.csv", digest })).id };
}

async function makeView({ scope }: TestMerchant, memberId: string) {
  const shelf = { ...scope, memberId, list: "payouts" } as const;
  return { view: (await saveView(shelf, { name: newId("savedView"), query: "status=failed" })).id };
}

async function removeRegistrations({ merchantId }: TestMerchant): Promise<void> {
  await query("DELETE FROM notification_registration WHERE merchant_id = $1", merchantId);
}

async function makeRegistration(merchant: TestMerchant, memberId: string) {
  await removeRegistrations(merchant);
  const context = { ...merchant.context, actor: { type: "member", id: memberId } } as const;
  const schedule = { pace: "daily", timeZone: "UTC", dailyAt: 540, quiet: null } as const;
  const command = { channel: "slack", url: RECEIVER, address: null, types: ["security"], schedule } as const;
  return { registration: (await registerForNotifications(context, command)).registration.id };
}

/** A new test object of each kind; the live environment has none. */
async function makeObjects(merchant: TestMerchant, viewer = merchant.byMember().actor.id): Promise<Objects> {
  const { context } = merchant;
  const collected = await createPaymentIntent(context, payment(), withoutIdempotency());
  const topup = await createTopupIntent(
    context,
    {
      destination: { amount: "100000", currency: "BRL" },
      source: { type: "provider_gateway", provider: null, currency: "USDT", network: "tron" },
      country: "BR",
      merchantReference: null,
    },
    withoutIdempotency(),
  );
  return {
    ...(await makePayout(merchant)),
    ...(await makeDelivery(merchant)),
    ...(await makeApiKey(merchant)),
    ...(await makeRequest(merchant)),
    ...(await makeException(merchant)),
    ...(await makeSuspended(merchant)),
    ...(await makeRefund(merchant)),
    ...(await makeFinding(merchant)),
    ...(await makeUnapplied(merchant)),
    ...(await makeSettlementFile(collected.intent.id)),
    ...(await makeMember(merchant)),
    ...(await makeGrant(merchant)),
    ...(await makeRecipient(merchant)),
    ...(await makeBatch(merchant)),
    ...(await makeView(merchant, viewer)),
    ...(await makeRegistration(merchant, viewer)),
    payment: collected.intent.id,
    proposal: NO_VERSION,
    topup: topup.intent.id,
  };
}

/** The result of calling the procedure as a member with the role: its answer, or why it was rejected. */
async function call(
  path: string,
  role: Role | typeof TESTER | null,
  merchant: TestMerchant,
  input: object,
): Promise<unknown> {
  const { merchantId } = merchant;
  const held = role === TESTER ? { roles: [], testRoles: ["owner"] } : { roles: [role ?? ""], testRoles: null };
  const member = {
    id: `mem_${role}`,
    email: `${role}@shop.example`,
    ...held,
    name: null,
    merchantId,
    merchantName: "M",
  };
  const session = { merchantId, sessionId: newId("session"), member, mustEnrol: false };
  const caller = createCaller({
    session: role && session,
    requestId: newId("request"),
    address: null,
    language: inEnglish,
  });
  const [router = "", name = ""] = path.split(".");
  const procedures = caller as unknown as Record<string, Record<string, (input: object) => Promise<unknown>>>;
  return procedures[router]?.[name]?.({ ...PROOF, ...input }).then(
    (answer) => ({ answer }),
    (error: { code: string }) => ({ refused: error.code }),
  );
}

function permissionOf(path: string): string {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { meta: { permission: string } } }>;
  return procedures[path]?._def.meta.permission ?? "";
}

it("every procedure has a row, and declares a permission", () => {
  expect(PATHS.sort()).toEqual(Object.keys(MATRIX).sort());
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { meta?: unknown } }>;
  const metas = PATHS.map((path) => procedures[path]?._def.meta);
  expect(metas).toEqual(PATHS.map(() => ({ permission: expect.any(String) })));
});

describe.each(Object.entries(MATRIX))(
  "%s",
  (path, { roles, input, onForeign, isShared, before, reached = "answered" }) => {
    it("is rejected for visitors, in both environments", async () => {
      const { mine } = world();
      const objects = NOTHING();
      for (const environment of ENVIRONMENTS) {
        expect(await call(path, null, mine, { environment, ...input(objects) })).toEqual({ refused: "UNAUTHORIZED" });
      }
    });

    it.each(ROLES)("depends on the role: %s", async (role) => {
      const { mine, owns: kept } = world();
      for (const environment of ENVIRONMENTS) {
        const ends = (environment === "test" || isShared) && roles.includes(role);
        const objects = { ...kept, ...(ends ? await MADE_ANEW[path]?.(mine, `mem_${role}`) : {}) };
        await before?.(mine);
        const result = await call(path, role, mine, { environment, ...input(objects) });
        const isThere = environment === "test" || isShared || onForeign === "nothing_of_theirs";
        const expected = roles.includes(role) ? (isThere ? reached : "NOT_FOUND") : "FORBIDDEN";
        expect([environment, outcomeOf(result)]).toEqual([environment, expected]);
      }
    });

    it("is unavailable or as usual if any one of its statements fails, never a fault of ours", async () => {
      const { mine, owns: kept } = world();
      const faults: unknown[] = [];
      for (let n = 0, isOver = false; !isOver; n += 1) {
        await removeEndpointsExcept(mine, kept.endpoint);
        const objects = { ...kept, ...(await MADE_ANEW[path]?.(mine, "mem_owner")) };
        await before?.(mine);
        clearCaches();
        const failing = failStatement(n);
        const result = await call(path, "owner", mine, { environment: "test", ...input(objects) });
        failing.restore();
        isOver = !failing.wasSent();
        if (outcomeOf(result) === "INTERNAL_SERVER_ERROR") faults.push({ n, code: failing.code });
      }
      await removeEndpointsExcept(mine, kept.endpoint);
      expect(faults).toEqual([]);
    });

    it("reveals nothing of another merchant or of the other environment", async () => {
      const { mine, ...made } = world();
      const elsewhere = [
        ["test", made.others],
        ["live", made.others],
        ["live", made.owns],
      ] as const;
      for (const [environment, objects] of isShared ? elsewhere.slice(0, 2) : elsewhere) {
        await before?.(mine);
        const result = await call(path, "owner", mine, { environment, ...input(objects) });
        const { digest: _, proposal: _version, member, ...ids } = objects;
        // What the merchant itself did to its members concerns both environments.
        const hidden = objects === made.others ? [...Object.values(ids), member] : Object.values(ids);
        expect(hidden.filter((id) => shownIds(result).includes(String(id)))).toEqual([]);
        expect(outcomeOf(result)).toBe(onForeign === "not_found" ? "NOT_FOUND" : reached);
      }
    });
  },
);

describe.each(Object.entries(MATRIX).filter(([path]) => permissionOf(path) !== "own"))(
  "%s",
  (path, { roles, input, before, reached = "answered" }) => {
    it("gives an owner of test nothing in live, and nothing that both environments share", async () => {
      const { mine, owns: kept } = world();
      const inLive = await call(path, TESTER, mine, { environment: "live", ...input(kept) });
      expect(inLive).toEqual({ refused: "FORBIDDEN" });
      const objects = { ...kept, ...(await MADE_ANEW[path]?.(mine, "mem_tester")) };
      await before?.(mine);
      const result = await call(path, TESTER, mine, { environment: "test", ...input(objects) });
      const isAllowed = !SHARED_PERMISSIONS.has(permissionOf(path)) && roles.includes("owner");
      expect(outcomeOf(result)).toBe(isAllowed ? reached : "FORBIDDEN");
    });
  },
);

function outcomeOf(result: unknown): string {
  const { refused = "answered" } = result as { refused?: string };
  return refused;
}

/** Ids that the answer shows as existing: a result that only states "not found" about an id does not show it. */
function shownIds(result: unknown): string {
  return JSON.stringify(result, (_, value: unknown) => (isRefusalOfOne(value) ? null : value));
}

function isRefusalOfOne(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ["approved", "cancelled", "done"].some((name) => name in value && value[name as keyof typeof value] === false);
}

it("an unknown environment is rejected before any other check", async () => {
  const { mine } = world();
  for (const path of PATHS.filter((name) => !/^(session|account)\./.test(name))) {
    const objects = NOTHING();
    const row = MATRIX[path];
    for (const environment of [undefined, "prod", ["test"]]) {
      const result = await call(path, "owner", mine, { ...row?.input(objects), environment });
      expect([path, result]).toEqual([path, { refused: "BAD_REQUEST" }]);
    }
  }
});
