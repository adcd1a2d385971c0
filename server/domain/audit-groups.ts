// Groups of audited actions, for the filters of the audit log.
import type { Actor } from "./scope";

/** The actions of each group, as patterns of SQL's LIKE. */
const PATTERNS = {
  refusals: ["%.%\\_refused", "%.%\\_paused", "%.%\\_denied", "api\\_key.refused"],
  members: ["member.%", "notification\\_registration.%"],
  keys: ["api\\_key.%"],
  payouts: ["payout\\_intent.%", "payout\\_screening.%", "payout\\_recipient.%", "payout\\_batch.%"],
  payments: ["payment\\_intent.%", "topup\\_intent.%"],
  policies: ["approval\\_policy.%"],
  money: [
    "wallet.%",
    "ledger.%",
    "journal.%",
    "suspense.%",
    "suspense\\_refund.%",
    "exception.%",
    "manual\\_resolution.%",
  ],
  webhooks: ["webhook\\_endpoint.%", "delivery.%"],
  merchant: ["merchant.%", "dispatch.%", "sandbox\\_clock.%"],
  exports: ["export.%"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type AuditGroup = keyof typeof PATTERNS;
export const AUDIT_GROUPS = Object.keys(PATTERNS) as AuditGroup[];

export const AUDIT_ACTOR_TYPES = [
  "member",
  "api_key",
  "operator",
  "worker",
  "provider",
  "payer",
] as const satisfies readonly Actor["type"][];

/** Returns the patterns of the actions of a group. */
export function actionPatterns(group: AuditGroup): readonly string[] {
  return PATTERNS[group];
}
