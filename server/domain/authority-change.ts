// Changes of authority: what members are told when somebody gets, or takes, power over a merchant.
import type { Environment } from "./scope";

/** What an audit entry says about a change. */
export interface RecordedChange {
  readonly action: string;
  /** Null for what both environments share. */
  readonly environment: Environment | null;
}

const ACTIONS = new Set([
  "member.create",
  "member.change_name",
  "member.change_roles",
  "member.propose_grant",
  "member.confirm_grant",
  "member.enable",
  "member.disable",
  "member.reset_password",
  "member.totp_enrol",
  "member.totp_remove",
  "member.passkey_enrol",
  "member.passkey_remove",
  "member.identity_link",
  "member.identity_unlink",
  "merchant.set_brand",
  "merchant.set_name",
  "merchant.set_totp",
  "merchant.set_sign_in_codes",
  "merchant.set_authority_cool_down",
  "merchant.set_recipient_cool_off",
  "approval_policy.confirm",
]);

/** Of these, only live ones are notified. */
const LIVE_ACTIONS = new Set([
  "topup_policies.propose",
  "topup_policies.confirm",
  "api_key.create",
  "payout_limits.set",
  "payout_recipient.save",
]);

/** True for changes that owners, and the member concerned, receive a notice of. */
export function isAuthorityChange({ action, environment }: RecordedChange): boolean {
  // Rolling a key creates its replacement, which has an entry of its own.
  return ACTIONS.has(action) || (LIVE_ACTIONS.has(action) && environment === "live");
}

export interface NoticeFacts extends RecordedChange {
  /** Who made the change, such as an address. */
  readonly actor: string;
  /** The address of the member concerned, or null. */
  readonly subject: string | null;
  /** What the entry records as the state after the change. */
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Returns the notice in one sentence. */
export function noticeText({ action, environment, actor, subject, after }: NoticeFacts): string {
  const whom = subject ?? "a member";
  const roles = Array.isArray(after?.roles) ? after.roles.join(", ") : "";
  const acts = Array.isArray(after?.totp_required_for) ? after.totp_required_for.join(", ") : "";
  switch (action) {
    case "member.create":
      return roles ? `${actor} added ${whom} as ${roles}.` : `${actor} added ${whom}, whose roles await confirmation.`;
    case "member.change_name":
      return typeof after?.name === "string"
        ? `${actor} changed the name of ${whom} to “${after.name}”.`
        : `${actor} removed the name of ${whom}.`;
    case "member.change_roles":
      return `${actor} changed the roles of ${whom} to ${roles}.`;
    case "member.propose_grant":
      return `${actor} proposed an approving role for ${whom}; another owner or admin must confirm it.`;
    case "member.confirm_grant":
      return `${actor} confirmed the roles of ${whom}: ${roles}.`;
    case "member.disable":
      return `${actor} disabled ${whom}.`;
    case "member.enable":
      return `${actor} enabled ${whom}.`;
    case "member.reset_password":
      return `${actor} reset the password of ${whom}.`;
    case "member.totp_enrol":
      return `${actor} set up one-time codes for the account of ${whom}.`;
    case "member.totp_remove":
      return `${actor} removed the one-time codes of ${whom}.`;
    case "member.passkey_enrol":
      return `${actor} added a passkey to the account of ${whom}.`;
    case "member.passkey_remove":
      return `${actor} removed a passkey of ${whom}.`;
    case "member.identity_link":
      return `${actor} connected single sign-on to the account of ${whom}.`;
    case "member.identity_unlink":
      return `${actor} disconnected single sign-on from the account of ${whom}.`;
    case "merchant.set_name":
      return `${actor} changed the merchant's name to “${String(after?.name)}”.`;
    case "merchant.set_brand":
      return `${actor} changed the color or logo that payers see.`;
    case "merchant.set_totp":
      return `${actor} changed what requires a one-time code to: ${acts || "nothing"}.`;
    case "merchant.set_sign_in_codes":
      return after?.totp_required_to_sign_in === true
        ? `${actor} required one-time codes to sign in.`
        : `${actor} no longer requires one-time codes to sign in.`;
    case "merchant.set_authority_cool_down":
      return `${actor} changed the cool-down of new authority to ${String(after?.authority_cool_down_seconds)} seconds.`;
    case "merchant.set_recipient_cool_off":
      return `${actor} changed the cool-off of new recipients.`;
    case "payout_recipient.save":
      return `${actor} saved a recipient of payouts, account ending ${String(after?.account_last4)}, in the ${environment} environment.`;
    case "api_key.create":
      return `${actor} created an API key for the ${environment} environment.`;
    case "topup_policies.propose":
      return `${actor} proposed other top-up terms for the ${environment} environment; another owner or admin must confirm them.`;
    case "topup_policies.confirm":
      return `${actor} confirmed other top-up terms for the ${environment} environment.`;
    case "payout_limits.set":
      return `${actor} changed the payout limits of the ${environment} environment.`;
    default:
      return `${actor} changed the approval policy of the ${environment} environment.`;
  }
}
