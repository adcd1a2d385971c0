// The written form of an approval policy: what is stored, audited, shown and put into a file.
import type { ApprovalPolicy, PolicyRule } from "./approval-policy";

/** Amounts are decimal text of minor units. */
export interface PolicyRuleDocument {
  readonly currency?: string | undefined;
  readonly country?: string | undefined;
  readonly amount_at_least?: string | undefined;
  readonly daily_total_at_least?: string | undefined;
  readonly first_time_recipient?: true | undefined;
  readonly approvals: number;
}

export interface PolicyDocument {
  readonly default_approvals: number;
  readonly rules: readonly PolicyRuleDocument[];
}

/** The policy as it is written down. */
export function writePolicy({ defaultApprovals, rules }: ApprovalPolicy): PolicyDocument {
  return { default_approvals: defaultApprovals, rules: rules.map(writeRule) };
}

function writeRule(rule: PolicyRule): PolicyRuleDocument {
  return {
    ...(rule.currency !== undefined && { currency: rule.currency }),
    ...(rule.country !== undefined && { country: rule.country }),
    ...(rule.amountAtLeast !== undefined && { amount_at_least: rule.amountAtLeast.toString() }),
    ...(rule.dailyTotalAtLeast !== undefined && { daily_total_at_least: rule.dailyTotalAtLeast.toString() }),
    ...(rule.firstTimeRecipient !== undefined && { first_time_recipient: rule.firstTimeRecipient }),
    approvals: rule.approvals,
  };
}

/** The policy that a well-formed document describes; whether it is acceptable is `faultOfPolicy`'s to say. */
export function readPolicy({ default_approvals: defaultApprovals, rules }: PolicyDocument): ApprovalPolicy {
  return { defaultApprovals, rules: rules.map(readRule) };
}

function readRule(rule: PolicyRuleDocument): PolicyRule {
  return {
    ...(rule.currency !== undefined && { currency: rule.currency }),
    ...(rule.country !== undefined && { country: rule.country }),
    ...(rule.amount_at_least !== undefined && { amountAtLeast: BigInt(rule.amount_at_least) }),
    ...(rule.daily_total_at_least !== undefined && { dailyTotalAtLeast: BigInt(rule.daily_total_at_least) }),
    ...(rule.first_time_recipient !== undefined && { firstTimeRecipient: rule.first_time_recipient }),
    approvals: rule.approvals,
  };
}

/** The policy in words, a line per rule, for people. */
export function describePolicy({ rules, defaultApprovals }: ApprovalPolicy): string[] {
  const lines = rules.map((rule) => `${describeConditions(rule)}: ${describeCount(rule.approvals)}`);
  return [...lines, `${rules.length === 0 ? "every payout" : "any other payout"}: ${describeCount(defaultApprovals)}`];
}

function describeCount(approvals: number): string {
  if (approvals === 0) return "no approval";
  return approvals === 1 ? "1 approval" : `${approvals} approvals`;
}

function describeConditions(rule: PolicyRule): string {
  const parts = [
    rule.currency !== undefined && `in ${rule.currency}`,
    rule.country !== undefined && `to ${rule.country}`,
    rule.firstTimeRecipient && "to a recipient never paid before",
    rule.amountAtLeast !== undefined && `of at least ${rule.amountAtLeast} minor units`,
    rule.dailyTotalAtLeast !== undefined &&
      `that brings the day's total to at least ${rule.dailyTotalAtLeast} minor units`,
  ];
  return ["a payout", ...parts.filter((part) => part !== false && part !== undefined)].join(" ");
}
