// Notifications: the closed lists of types, channels, paces and states, and which role receives which type.
import type { MemberAct } from "./permissions";

/** What a registration can choose. On the wire each is `notification.` and its name. */
export const NOTIFICATION_TYPES = [
  /** A payout waits for the member's approval. */
  "approval_waiting",
  /** A payout that the member may approve is cancelled within a day if nobody does. */
  "approval_lapsing",
  /** Another member proposed to send money back to its payer. */
  "refund_proposed",
  "exception_opened",
  /** A colleague made the member the owner of an exception. */
  "exception_assigned",
  /** A webhook endpoint accepts nothing, or was disabled for it. */
  "endpoint_failing",
  /** Another member proposed an approval policy. */
  "policy_proposed",
  /** Another member proposed what becomes of top-ups not paid as quoted. */
  "topup_terms_proposed",
  /** A change of authority, of which owners and the member concerned get a notice. */
  "security",
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** A test is sent on request and cannot be chosen. */
export type SentType = NotificationType | "test";
export const SENT_TYPES: readonly SentType[] = [...NOTIFICATION_TYPES, "test"];

/** Types about what an operator acts on; the others are decisions of a merchant's members. */
export const OPERATOR_TYPES = ["exception_opened", "endpoint_failing", "security"] as const;
export type OperatorType = (typeof OPERATOR_TYPES)[number];

/**
 * The act that a member must be allowed for the type, in the registration's environment. Null for security notices, which
 * are addressed to their members when they are made.
 */
export const ACT_FOR: Readonly<Record<NotificationType, MemberAct | null>> = {
  approval_waiting: "decide_payouts",
  approval_lapsing: "decide_payouts",
  refund_proposed: "decide_payouts",
  exception_opened: "decide_exceptions",
  exception_assigned: "decide_exceptions",
  endpoint_failing: "manage_webhooks",
  policy_proposed: "decide_policies",
  topup_terms_proposed: "decide_settings",
  security: null,
};

export const CHANNELS = ["mail", "slack", "webhook"] as const;
export type Channel = (typeof CHANNELS)[number];

/** pending: waits for an attempt. failed: given up. skipped: no longer true, or no longer the receiver's to know. */
export const NOTIFICATION_STATES = ["pending", "sent", "failed", "skipped"] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** Registrations of one member, or of the operator, per environment. */
export const MAXIMUM_REGISTRATIONS = 10;
