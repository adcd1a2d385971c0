// Changes of authority: what members are told when somebody gets, or takes, power over a merchant.
import type { DashboardLanguage } from "./dashboard-languages";
import type { Environment } from "./scope";
import { type Phrase, say } from "./texts/say";
import { wordIn } from "./texts/translate";

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

function isIn<Table extends object>(table: Table, key: PropertyKey): key is keyof Table {
  return Object.hasOwn(table, key);
}

/** Returns the notice in one sentence. */
export function noticeText(
  { action, environment: place, actor, subject, after }: NoticeFacts,
  language: DashboardLanguage = "en",
): string {
  const whom = subject ?? wordIn(language, "a member");
  const roles = Array.isArray(after?.roles) ? after.roles.map((role) => wordIn(language, String(role))).join(", ") : "";
  const acts = Array.isArray(after?.totp_required_for) ? after.totp_required_for.join(", ") : "";
  const environment = wordIn(language, String(place));
  switch (action) {
    case "member.create":
      return roles
        ? say(language, "{actor} added {whom} as {roles}.", { actor, whom, roles })
        : say(language, "{actor} added {whom}, whose roles await confirmation.", { actor, whom });
    case "member.change_name":
      return typeof after?.name === "string"
        ? say(language, "{actor} changed the name of {whom} to “{name}”.", { actor, whom, name: after.name })
        : say(language, "{actor} removed the name of {whom}.", { actor, whom });
    case "member.change_roles":
      return say(language, "{actor} changed the roles of {whom} to {roles}.", { actor, whom, roles });
    case "member.confirm_grant":
      return say(language, "{actor} confirmed the roles of {whom}: {roles}.", { actor, whom, roles });
    case "merchant.set_name":
      return say(language, "{actor} changed the merchant's name to “{name}”.", { actor, name: String(after?.name) });
    case "merchant.set_brand":
      return say(language, "{actor} changed the color or logo that payers see.", { actor });
    case "merchant.set_totp": {
      const required = acts || wordIn(language, "nothing");
      return say(language, "{actor} changed what requires a one-time code to: {acts}.", { actor, acts: required });
    }
    case "merchant.set_sign_in_codes":
      return after?.totp_required_to_sign_in === true
        ? say(language, "{actor} required one-time codes to sign in.", { actor })
        : say(language, "{actor} no longer requires one-time codes to sign in.", { actor });
    case "merchant.set_authority_cool_down": {
      const seconds = String(after?.authority_cool_down_seconds);
      return say(language, "{actor} changed the cool-down of new authority to {seconds} seconds.", { actor, seconds });
    }
    case "merchant.set_recipient_cool_off":
      return say(language, "{actor} changed the cool-off of new recipients.", { actor });
    case "payout_recipient.save": {
      const values = { actor, last4: String(after?.account_last4), environment };
      return say(
        language,
        "{actor} saved a recipient of payouts, account ending {last4}, in the {environment} environment.",
        values,
      );
    }
  }
  if (isIn(ABOUT_MEMBERS, action)) return say(language, ABOUT_MEMBERS[action], { actor, whom });
  return say(language, sentenceAboutPlace(action), { actor, environment });
}

/** Notices that name only who did it and whom it is about. */
const ABOUT_MEMBERS = {
  "member.propose_grant": "{actor} proposed an approving role for {whom}; another owner or admin must confirm it.",
  "member.disable": "{actor} disabled {whom}.",
  "member.enable": "{actor} enabled {whom}.",
  "member.reset_password": "{actor} reset the password of {whom}.",
  "member.totp_enrol": "{actor} set up one-time codes for the account of {whom}.",
  "member.totp_remove": "{actor} removed the one-time codes of {whom}.",
  "member.passkey_enrol": "{actor} added a passkey to the account of {whom}.",
  "member.passkey_remove": "{actor} removed a passkey of {whom}.",
  "member.identity_link": "{actor} connected single sign-on to the account of {whom}.",
  "member.identity_unlink": "{actor} disconnected single sign-on from the account of {whom}.",
} as const satisfies Readonly<Record<string, Phrase>>;

/** The notice that names only who did it and in which environment. */
function sentenceAboutPlace(action: string) {
  switch (action) {
    case "api_key.create":
      return "{actor} created an API key for the {environment} environment.";
    case "topup_policies.propose":
      return "{actor} proposed other top-up terms for the {environment} environment; another owner or admin must confirm them.";
    case "topup_policies.confirm":
      return "{actor} confirmed other top-up terms for the {environment} environment.";
    case "payout_limits.set":
      return "{actor} changed the payout limits of the {environment} environment.";
    default:
      return "{actor} changed the approval policy of the {environment} environment.";
  }
}
