import type { inferRouterOutputs } from "@trpc/server";
import type { PolicyDocument, PolicyRuleDocument } from "@/server/domain/approval-policy-document";
import type { AppRouter } from "@/server/trpc/router";
import { formatAmount } from "../money/format-amount";

export type PolicyView = inferRouterOutputs<AppRouter>["approvalPolicies"]["show"];
export type PolicyVersion = PolicyView["active"];

/** "no approval", "1 approval", "2 approvals". */
export function countText(approvals: number): string {
  if (approvals === 0) return "no approval";
  return approvals === 1 ? "1 approval" : `${approvals} approvals`;
}

function conditionsText(rule: PolicyRuleDocument): string {
  const { currency = "", country, amount_at_least: amount, daily_total_at_least: total } = rule;
  const parts = [
    country && `to ${country}`,
    rule.first_time_recipient && "to a recipient never paid before",
    amount === undefined ? currency && `in ${currency}` : `of ${formatAmount(amount, currency)} ${currency} or more`,
    total !== undefined && `that bring the day's total to ${formatAmount(total, currency)} ${currency} or more`,
  ];
  return ["Payouts", ...parts.filter(Boolean)].join(" ");
}

export interface PolicyLine {
  readonly condition: string;
  readonly approvals: string;
}

/** A line for each rule, and one for all other payouts. */
export function policyLines({ rules, default_approvals: otherwise }: PolicyDocument): PolicyLine[] {
  const lines = rules.map((rule) => ({ condition: conditionsText(rule), approvals: countText(rule.approvals) }));
  const rest = rules.length === 0 ? "Every payout" : "Every other payout";
  return [...lines, { condition: rest, approvals: countText(otherwise) }];
}
