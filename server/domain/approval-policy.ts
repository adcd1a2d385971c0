// Approval policies: rules that say how many people must approve a payout, and what an acceptable set of rules is.
import { isCountry } from "./countries";
import { isKnownCurrency } from "./currencies";

export const POLICY_STATES = ["proposed", "active", "superseded", "rejected"] as const;
export type PolicyState = (typeof POLICY_STATES)[number];

/** The most approvals that a rule or the default can require. */
export const MAXIMUM_APPROVALS = 3;
/** The most rules of one policy. */
export const MAXIMUM_RULES = 50;

/** All conditions of a rule must hold; a rule has at least one. Amounts are minor units of the rule's currency. */
export interface PolicyRule {
  readonly currency?: string;
  readonly country?: string;
  /** The payout's own amount. Needs `currency`. */
  readonly amountAtLeast?: bigint;
  /** All of the merchant's payouts of the UTC day in that currency, this one included. Needs `currency`. */
  readonly dailyTotalAtLeast?: bigint;
  /** No payout to this account, bank and holder has ever succeeded. */
  readonly firstTimeRecipient?: true;
  readonly approvals: number;
}

/** The highest of the matching rules holds; where none matches, the default does. */
export interface ApprovalPolicy {
  readonly rules: readonly PolicyRule[];
  readonly defaultApprovals: number;
}

/** What a merchant starts with in each environment: every payout needs one approval. */
export const FIRST_POLICY: ApprovalPolicy = { rules: [], defaultApprovals: 1 };
export const FIRST_VERSION = 1;

/** The facts that the payout itself contains. */
export interface PolicySubject {
  readonly amount: bigint;
  readonly currency: string;
  readonly country: string;
}

/** The facts that need a query. `dailyTotal` includes the payout itself. */
export interface PolicyFacts {
  readonly isFirstTimeRecipient: boolean;
  readonly dailyTotal: bigint;
}

export type PolicyFact = keyof PolicyFacts;

function matchesByItself(rule: PolicyRule, { amount, currency, country }: PolicySubject): boolean {
  return (
    (rule.currency === undefined || rule.currency === currency) &&
    (rule.country === undefined || rule.country === country) &&
    (rule.amountAtLeast === undefined || amount >= rule.amountAtLeast)
  );
}

function matchesExceptTotal(rule: PolicyRule, subject: PolicySubject, facts: PolicyFacts): boolean {
  return matchesByItself(rule, subject) && (rule.firstTimeRecipient === undefined || facts.isFirstTimeRecipient);
}

function isBelow(rule: PolicyRule, { dailyTotal }: PolicyFacts): boolean {
  return rule.dailyTotalAtLeast !== undefined && dailyTotal < rule.dailyTotalAtLeast;
}

function highest(rules: readonly PolicyRule[]): number | null {
  return rules.length === 0 ? null : Math.max(...rules.map(({ approvals }) => approvals));
}

export interface Requirement {
  /** 0 to 3. */
  readonly approvals: number;
  /** While the day's total stays below this, no rule about totals asks for more approvals; null where none could. */
  readonly dailyTotalBelow: bigint | null;
}

/** How many approvals the policy asks for, and for which totals of the day that answer is good. */
export function requirementOf(policy: ApprovalPolicy, subject: PolicySubject, facts: PolicyFacts): Requirement {
  const candidates = policy.rules.filter((rule) => matchesExceptTotal(rule, subject, facts));
  const approvals = highest(candidates.filter((rule) => !isBelow(rule, facts))) ?? policy.defaultApprovals;
  const bounds = candidates.flatMap((rule) =>
    isBelow(rule, facts) && rule.approvals > approvals && rule.dailyTotalAtLeast !== undefined
      ? [rule.dailyTotalAtLeast]
      : [],
  );
  const dailyTotalBelow = bounds.reduce<bigint | null>(
    (low, bound) => (low === null || bound < low ? bound : low),
    null,
  );
  return { approvals, dailyTotalBelow };
}

/** The facts that can make a difference for this payout: most policies, and most payouts, need none looked up. */
export function factsNeeded(policy: ApprovalPolicy, subject: PolicySubject): ReadonlySet<PolicyFact> {
  const candidates = policy.rules.filter((rule) => matchesByItself(rule, subject));
  const needsFacts = (rule: PolicyRule) =>
    rule.firstTimeRecipient !== undefined || rule.dailyTotalAtLeast !== undefined;
  const certain = highest(candidates.filter((rule) => !needsFacts(rule)));
  const open = candidates.filter((rule) => needsFacts(rule) && (certain === null || rule.approvals > certain));
  const needed = new Set<PolicyFact>();
  if (open.some((rule) => rule.firstTimeRecipient)) needed.add("isFirstTimeRecipient");
  if (open.some((rule) => rule.dailyTotalAtLeast !== undefined)) needed.add("dailyTotal");
  return needed;
}

/** The most approvals that the policy can require. */
export function mostApprovals({ rules, defaultApprovals }: ApprovalPolicy): number {
  return Math.max(defaultApprovals, highest(rules) ?? 0);
}

/**
 * Why nobody could satisfy the policy when that many members may approve payouts, or null. One of them may be the maker
 * of a payout and cannot approve it then, so one more is needed than the policy requires.
 */
export function whyUnsatisfiable(policy: ApprovalPolicy, approvers: number): string | null {
  const most = mostApprovals(policy);
  if (most === 0 || approvers > most) return null;
  return (
    `can ask for ${most} approval${most === 1 ? "" : "s"}; ${approvers} active member${approvers === 1 ? "" : "s"} may ` +
    `approve payouts, and the maker of a payout cannot approve it, so ${most + 1} are needed`
  );
}

export interface PolicyFault {
  /** Which member, as in `rules[2].country`. */
  readonly path: string;
  readonly complaint: string;
}

/** The first thing wrong with a policy, or null. `whyUnsatisfiable` checks whether enough members could approve. */
export function faultOfPolicy(policy: ApprovalPolicy): PolicyFault | null {
  if (!isCount(policy.defaultApprovals)) return { path: "default_approvals", complaint: COUNT_COMPLAINT };
  if (policy.rules.length > MAXIMUM_RULES) return { path: "rules", complaint: `must be at most ${MAXIMUM_RULES}` };
  for (const [n, rule] of policy.rules.entries()) {
    const fault = faultOfRule(rule);
    if (fault) return { path: `rules[${n}]${fault.path}`, complaint: fault.complaint };
  }
  return null;
}

const COUNT_COMPLAINT = `must be a whole number from 0 to ${MAXIMUM_APPROVALS}`;

function isCount(approvals: number): boolean {
  return Number.isInteger(approvals) && approvals >= 0 && approvals <= MAXIMUM_APPROVALS;
}

function faultOfRule({ approvals, ...conditions }: PolicyRule): PolicyFault | null {
  const { currency, country, amountAtLeast, dailyTotalAtLeast } = conditions;
  if (!isCount(approvals)) return { path: ".approvals", complaint: COUNT_COMPLAINT };
  if (Object.values(conditions).every((condition) => condition === undefined)) {
    return { path: "", complaint: "must have a condition; default_approvals applies to every other payout" };
  }
  if (currency !== undefined && !isKnownCurrency(currency)) {
    return { path: ".currency", complaint: "is not a currency or token this service knows" };
  }
  if (country !== undefined && !isCountry(country)) {
    return { path: ".country", complaint: "is not an ISO 3166-1 alpha-2 code" };
  }
  for (const [path, amount] of [
    [".amount_at_least", amountAtLeast],
    [".daily_total_at_least", dailyTotalAtLeast],
  ] as const) {
    if (amount !== undefined && amount <= 0n) return { path, complaint: "must be positive" };
    if (amount !== undefined && currency === undefined) return { path, complaint: "needs a currency beside it" };
  }
  return null;
}
