import type { inferRouterOutputs } from "@trpc/server";
import type { PolicyDocument, PolicyRuleDocument } from "@/server/domain/approval-policy-document";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { formatAmount } from "../money/format-amount";

export type PolicyView = inferRouterOutputs<AppRouter>["approvalPolicies"]["show"];
export type PolicyVersion = PolicyView["active"];

/** "no approval", "1 approval", "2 approvals". */
export function countText(texts: Texts, approvals: number): string {
  return texts("policies.approvals", { count: approvals });
}

function conditionsText(texts: Texts, rule: PolicyRuleDocument): string {
  const { currency = "", country, amount_at_least: amount, daily_total_at_least: total } = rule;
  const parts = [
    country && texts("policies.toCountry", { country }),
    rule.first_time_recipient && texts("policies.toNewRecipient"),
    amount === undefined
      ? currency && texts("policies.inCurrency", { currency })
      : texts("policies.ofAmount", { amount: formatAmount(texts, amount, currency), currency }),
    total !== undefined && texts("policies.dayTotal", { amount: formatAmount(texts, total, currency), currency }),
  ];
  return [texts("policies.payouts"), ...parts.filter(Boolean)].join(" ");
}

export interface PolicyLine {
  readonly condition: string;
  readonly approvals: string;
}

/** A line for each rule, and one for all other payouts. */
export function policyLines(texts: Texts, { rules, default_approvals: otherwise }: PolicyDocument): PolicyLine[] {
  const lines = rules.map((rule) => ({
    condition: conditionsText(texts, rule),
    approvals: countText(texts, rule.approvals),
  }));
  const rest = rules.length === 0 ? texts("policies.everyPayout") : texts("policies.everyOtherPayout");
  return [...lines, { condition: rest, approvals: countText(texts, otherwise) }];
}
