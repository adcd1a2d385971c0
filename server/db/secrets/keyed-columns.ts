// Every stored value that was made with a key of the operator's secrets, by purpose. Each value names its key.
import type { KeyPurpose } from "@/server/platform/key-ring";
import { MAY_BE_LACKING } from "../callback-receipt";

/**
 * How values under an old key end. rewrap: `secrets rewrap` moves them to the current key. use: at the next use, or when
 * they are replaced. expiry: within 24 hours. decision: when the proposal or callback is decided; 90 days later for a callback that was handed over to another cell. never: they belong to
 * records that do not change, and only `audit verify` needs their key.
 */
type EndOfValue = "rewrap" | "use" | "expiry" | "decision" | "never";

export interface KeyedColumn {
  readonly table: string;
  readonly column: string;
  /** SQL for the key id of a row's value, or null without a keyed value. */
  readonly keyId: string;
  /** SQL condition: other rows need no key any more. */
  readonly condition: string;
  readonly ends: EndOfValue;
}

/** The key id in a text that begins with `<key id>.`, after `before`, as SQL. */
const keyIdIn = (text: string, before = "^") => `substring(${text} from '${before}([0-9a-f]{8})\\.')`;

function keyed(
  place: `${string}.${string}`,
  ends: EndOfValue,
  { keyId, condition = "true" }: Partial<Pick<KeyedColumn, "keyId" | "condition">> = {},
): KeyedColumn {
  const [table = "", column = ""] = place.split(".");
  return { table, column, keyId: keyId ?? keyIdIn(column), condition, ends };
}

const IS_USABLE_KEY = "revoked_at IS NULL AND coalesce(least(expires_at, valid_until) > now(), true)";
const IS_PROPOSED = { condition: "state = 'proposed'" };
const IS_UNAPPLIED = {
  condition: `applied_at IS NULL OR result NOT IN ('applied', 'ignored', 'handed_over') OR ${MAY_BE_LACKING}`,
};
const IS_ENDPOINT = { condition: "deleted_at IS NULL" };

/** Purposes without a column: their values are in cursors and cookies, which expire. */
export const KEYED_COLUMNS: Readonly<Record<KeyPurpose, readonly KeyedColumn[]>> = {
  "api-key-pepper": [keyed("api_key.pepper_id", "use", { keyId: "pepper_id", condition: IS_USABLE_KEY })],
  "account-encryption": [
    keyed("payout_intent.account_sealed", "rewrap"),
    keyed("payout_recipient.account_sealed", "rewrap"),
  ],
  "account-digest": [keyed("payout_intent.account_digest", "never"), keyed("payout_account.digest", "rewrap")],
  "idempotency-fingerprint": [keyed("idempotency_key.fingerprint", "expiry")],
  "cursor-mac": [],
  "audit-chain": [keyed("audit_link.key_id", "never", { keyId: "key_id" })],
  "audit-facts": [
    keyed("audit_entry.after", "never", {
      keyId: `coalesce(${keyIdIn("after->'facts'->>'personal'")}, ${keyIdIn("after->>'next_action'")})`,
    }),
  ],
  callback: [keyed("provider_callback.digest", "decision", IS_UNAPPLIED)],
  proposal: [
    keyed("approval_policy.digest", "decision", IS_PROPOSED),
    keyed("journal_entry.digest", "decision", IS_PROPOSED),
    keyed("manual_resolution.digest", "decision", IS_PROPOSED),
    keyed("suspense_refund.digest", "decision", IS_PROPOSED),
    keyed("topup_policy_proposal.digest", "decision", IS_PROPOSED),
  ],
  "webhook-secret": [
    keyed("webhook_endpoint.secret_sealed", "rewrap", IS_ENDPOINT),
    keyed("webhook_endpoint.previous_secret_sealed", "rewrap", IS_ENDPOINT),
    keyed("notification_registration.url_sealed", "rewrap"),
    keyed("notification_registration.secret_sealed", "rewrap"),
  ],
  "stored-answer": [keyed("idempotency_seal.body", "expiry", { keyId: keyIdIn("body", "^sealed:") })],
  "totp-secret": [keyed("member_totp.secret_sealed", "rewrap")],
  // All codes of a member are made at once, so the first that is left names the key of all.
  "recovery-code": [keyed("member_totp.recovery_hashes", "use", { keyId: keyIdIn("recovery_hashes[1]") })],
  "sign-in-count": [keyed("sign_in_count.key", "expiry", { keyId: keyIdIn("key", ":") })],
  // The worker notes everybody under the current key, and deletes what is under others.
  "person-cell": [keyed("person_cell.person", "expiry")],
  "known-device": [],
  session: [],
};
