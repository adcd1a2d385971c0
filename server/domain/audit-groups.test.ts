// Tests which audited actions each filter of the audit log shows.
import { expect, it } from "vitest";
import { AUDIT_GROUPS, type AuditGroup, actionPatterns } from "./audit-groups";

/** Whether SQL's LIKE finds the action; `\_` is an underscore, `%` any text. */
function isLike(action: string, pattern: string): boolean {
  const source = pattern
    .split("%")
    .map((part) => part.replaceAll("\\_", "_").replaceAll(".", "\\."))
    .join(".*");
  return new RegExp(`^${source}$`).test(action);
}

const groupsOf = (action: string) =>
  AUDIT_GROUPS.filter((group) => actionPatterns(group).some((pattern) => isLike(action, pattern)));

it.each<[string, AuditGroup[]]>([
  ["member.create", ["members"]],
  ["member.sign_in_refused", ["refusals", "members"]],
  ["notification_registration.create", ["members"]],
  ["api_key.create", ["keys"]],
  ["api_key.refused", ["refusals", "keys"]],
  ["payout_intent.approve", ["payouts"]],
  ["payout_intent.approve_denied", ["refusals", "payouts"]],
  ["payout_recipient.save", ["payouts"]],
  ["payment_intent.succeeded", ["payments"]],
  ["topup_intent.succeeded", ["payments"]],
  ["approval_policy.confirm", ["policies"]],
  ["suspense.late_money", ["money"]],
  ["suspense_refund.settle", ["money"]],
  ["manual_resolution.confirm", ["money"]],
  ["webhook_endpoint.create", ["webhooks"]],
  ["merchant.set_name", ["merchant"]],
  ["sandbox_clock.move", ["merchant"]],
  ["export.payments", ["exports"]],
  ["something.else", []],
])("%s is shown under %j", (action, groups) => {
  expect(groupsOf(action)).toEqual(groups);
});
