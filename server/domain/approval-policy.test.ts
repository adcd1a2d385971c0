import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ApprovalPolicy,
  FIRST_POLICY,
  factsNeeded,
  faultOfPolicy,
  MAXIMUM_RULES,
  mostApprovals,
  type PolicyFacts,
  type PolicyRule,
  type PolicySubject,
  requirementOf,
  whyUnsatisfiable,
} from "./approval-policy";
import { describePolicy, readPolicy, writePolicy } from "./approval-policy-document";

const RUNS = { numRuns: 2_000 };
const amount = fc.bigInt({ min: 1n, max: 12n });
const currency = fc.constantFrom("BRL", "JPY");
const country = fc.constantFrom("BR", "JP");
const approvals = fc.integer({ min: 0, max: 3 });

const rule: fc.Arbitrary<PolicyRule> = fc
  .record(
    {
      approvals,
      currency,
      country,
      amountAtLeast: amount,
      dailyTotalAtLeast: amount,
      firstTimeRecipient: fc.constant(true as const),
    },
    { requiredKeys: ["approvals", "currency"] },
  )
  .map((one) => one as PolicyRule);
const policies: fc.Arbitrary<ApprovalPolicy> = fc.record({
  rules: fc.array(rule, { maxLength: 6 }),
  defaultApprovals: approvals,
});
const subjects: fc.Arbitrary<PolicySubject> = fc.record({ amount, currency, country });
const facts: fc.Arbitrary<PolicyFacts> = fc.record({
  isFirstTimeRecipient: fc.boolean(),
  dailyTotal: fc.bigInt({ min: 1n, max: 14n }),
});

/** The rule as the document says it, condition by condition. */
function matches(one: PolicyRule, subject: PolicySubject, known: PolicyFacts): boolean {
  if (one.currency && one.currency !== subject.currency) return false;
  if (one.country && one.country !== subject.country) return false;
  if (one.amountAtLeast && subject.amount < one.amountAtLeast) return false;
  if (one.firstTimeRecipient && !known.isFirstTimeRecipient) return false;
  return !one.dailyTotalAtLeast || known.dailyTotal >= one.dailyTotalAtLeast;
}

const approvalsFor = (policy: ApprovalPolicy, subject: PolicySubject, known: PolicyFacts) =>
  requirementOf(policy, subject, known).approvals;

describe("the number of approvals", () => {
  it("is the highest of the matching rules, and the default where none matches", () => {
    fc.assert(
      fc.property(policies, subjects, facts, (policy, subject, known) => {
        const counts = policy.rules.filter((one) => matches(one, subject, known)).map((one) => one.approvals);
        const expected = counts.length > 0 ? Math.max(...counts) : policy.defaultApprovals;
        expect(approvalsFor(policy, subject, known)).toBe(expected);
        expect(expected).toBeLessThanOrEqual(mostApprovals(policy));
      }),
      RUNS,
    );
  });

  it("does not depend on the order of the rules", () => {
    fc.assert(
      fc.property(policies, subjects, facts, (policy, subject, known) => {
        const reversed = { ...policy, rules: policy.rules.toReversed() };
        expect(requirementOf(reversed, subject, known)).toEqual(requirementOf(policy, subject, known));
      }),
      RUNS,
    );
  });

  it("is the same whatever the facts that are not needed", () => {
    fc.assert(
      fc.property(policies, subjects, facts, facts, (policy, subject, known, other) => {
        const needed = factsNeeded(policy, subject);
        const mixed: PolicyFacts = {
          isFirstTimeRecipient: (needed.has("isFirstTimeRecipient") ? known : other).isFirstTimeRecipient,
          dailyTotal: (needed.has("dailyTotal") ? known : other).dailyTotal,
        };
        expect(approvalsFor(policy, subject, mixed)).toBe(approvalsFor(policy, subject, known));
      }),
      RUNS,
    );
  });

  it("is enough for every total of the day below the bound, and too little at the bound", () => {
    const growth = fc.bigInt({ min: 0n, max: 14n });
    fc.assert(
      fc.property(policies, subjects, facts, growth, (policy, subject, known, more) => {
        const { approvals: count, dailyTotalBelow } = requirementOf(policy, subject, known);
        const later = known.dailyTotal + more;
        const isBelow = dailyTotalBelow === null || later < dailyTotalBelow;
        const below = isBelow ? later : known.dailyTotal;
        expect(approvalsFor(policy, subject, { ...known, dailyTotal: below })).toBeLessThanOrEqual(count);
        const atBound = dailyTotalBelow ?? 0n;
        const grows = approvalsFor(policy, subject, { ...known, dailyTotal: atBound }) > count;
        expect(dailyTotalBelow === null || (grows && atBound > known.dailyTotal)).toBe(true);
        expect(dailyTotalBelow === null || factsNeeded(policy, subject).has("dailyTotal")).toBe(true);
      }),
      RUNS,
    );
  });

  it("is good until the lowest total at which a rule asks for more, not for as many", () => {
    const total = (dailyTotalAtLeast: bigint, approvals: number) => ({ currency: "BRL", dailyTotalAtLeast, approvals });
    const rules = [{ currency: "BRL", approvals: 2 }, total(10n, 2), total(20n, 3), total(15n, 3), total(30n, 3)];
    const subject = { amount: 1n, currency: "BRL", country: "BR" };
    const at = (dailyTotal: bigint) =>
      requirementOf({ rules, defaultApprovals: 1 }, subject, { isFirstTimeRecipient: false, dailyTotal });
    expect(at(1n)).toEqual({ approvals: 2, dailyTotalBelow: 15n });
    expect(at(15n)).toEqual({ approvals: 3, dailyTotalBelow: null });
  });

  it("of the first policy is one for every payout, with nothing to look up", () => {
    fc.assert(
      fc.property(subjects, facts, (subject, known) => {
        expect(requirementOf(FIRST_POLICY, subject, known)).toEqual({ approvals: 1, dailyTotalBelow: null });
        expect(factsNeeded(FIRST_POLICY, subject).size).toBe(0);
      }),
    );
  });

  it("of a rule without need for facts hides what cannot ask for more", () => {
    const policy: ApprovalPolicy = {
      defaultApprovals: 0,
      rules: [
        { currency: "BRL", approvals: 2 },
        { firstTimeRecipient: true, approvals: 2 },
        { currency: "BRL", dailyTotalAtLeast: 10n, approvals: 3 },
      ],
    };
    expect([...factsNeeded(policy, { amount: 1n, currency: "BRL", country: "BR" })]).toEqual(["dailyTotal"]);
    expect([...factsNeeded(policy, { amount: 1n, currency: "JPY", country: "JP" })]).toEqual(["isFirstTimeRecipient"]);
  });

  it("of a rule that asks for none needs its facts where only the default would ask for more", () => {
    const policy: ApprovalPolicy = { defaultApprovals: 2, rules: [{ firstTimeRecipient: true, approvals: 0 }] };
    expect([...factsNeeded(policy, { amount: 1n, currency: "BRL", country: "BR" })]).toEqual(["isFirstTimeRecipient"]);
  });
});

describe("a policy that nobody could satisfy", () => {
  it("asks for as many approvals as there are approvers, since one of them may be the maker", () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 0, max: 6 }), (policy, approvers) => {
        const most = mostApprovals(policy);
        expect(whyUnsatisfiable(policy, approvers) === null).toBe(most === 0 || approvers >= most + 1);
      }),
    );
  });

  it("is told with the numbers", () => {
    const policy: ApprovalPolicy = { defaultApprovals: 1, rules: [{ country: "BR", approvals: 3 }] };
    expect(whyUnsatisfiable(policy, 3)).toBe(
      "can ask for 3 approvals; 3 active members may approve payouts, and the maker of a payout cannot approve it, so 4 are needed",
    );
    expect(whyUnsatisfiable(FIRST_POLICY, 1)).toContain("can ask for 1 approval; 1 active member may");
  });
});

describe("a faulty policy", () => {
  const withRule = (one: PolicyRule): ApprovalPolicy => ({
    defaultApprovals: 1,
    rules: [{ country: "BR", approvals: 1 }, one],
  });

  it.each<[string, ApprovalPolicy]>([
    ["default_approvals must be a whole number", { rules: [], defaultApprovals: 4 }],
    ["default_approvals must be a whole number", { rules: [], defaultApprovals: -1 }],
    ["default_approvals must be a whole number", { rules: [], defaultApprovals: 0.5 }],
    ["rules[1].approvals must be a whole number", withRule({ country: "BR", approvals: 4 })],
    ["rules[1] must have a condition", withRule({ approvals: 2 })],
    ["rules[1] must have a condition", withRule({ approvals: 2, country: undefined } as unknown as PolicyRule)],
    ["rules[1].currency is not a currency", withRule({ currency: "XYZ", approvals: 2 })],
    ["rules[1].country is not", withRule({ country: "XX", approvals: 2 })],
    ["rules[1].amount_at_least needs a currency", withRule({ amountAtLeast: 5n, approvals: 2 })],
    [
      "rules[1].daily_total_at_least needs a currency",
      withRule({ country: "BR", dailyTotalAtLeast: 5n, approvals: 2 }),
    ],
    ["rules[1].amount_at_least must be positive", withRule({ currency: "BRL", amountAtLeast: 0n, approvals: 2 })],
    [
      "rules must be at most",
      {
        defaultApprovals: 1,
        rules: Array.from({ length: MAXIMUM_RULES + 1 }, () => ({ country: "BR", approvals: 1 })),
      },
    ],
  ])("is refused: %s", (start, policy) => {
    const fault = faultOfPolicy(policy);
    expect(`${fault?.path} ${fault?.complaint}`.startsWith(start)).toBe(true);
  });

  it("is not one with as many rules as there may be", () => {
    const rules = Array.from({ length: MAXIMUM_RULES }, () => ({ country: "BR", approvals: 1 }));
    expect(faultOfPolicy({ defaultApprovals: 1, rules })).toBeNull();
  });

  it("is none of those that are made of known currencies, countries and counts", () => {
    fc.assert(
      fc.property(policies, (policy) => {
        expect(faultOfPolicy(policy)).toBeNull();
      }),
    );
  });
});

describe("the written form", () => {
  it("gives back the policy, and is JSON", () => {
    fc.assert(
      fc.property(policies, (policy) => {
        const written = JSON.parse(JSON.stringify(writePolicy(policy))) as ReturnType<typeof writePolicy>;
        expect(readPolicy(written)).toEqual(policy);
      }),
    );
  });

  it("has no member for a condition that a rule does not have", () => {
    const rules: PolicyRule[] = [
      { country: "BR", approvals: 1 },
      { currency: "BRL", approvals: 1 },
      { firstTimeRecipient: true, approvals: 1 },
    ];
    const written = writePolicy({ rules, defaultApprovals: 1 });
    expect(written.rules.map(Object.keys)).toEqual([
      ["country", "approvals"],
      ["currency", "approvals"],
      ["first_time_recipient", "approvals"],
    ]);
    expect(readPolicy(written).rules.map(Object.keys)).toEqual(rules.map(Object.keys));
  });

  it("in words has a line per rule and one for the rest", () => {
    expect(describePolicy(FIRST_POLICY)).toEqual(["every payout: 1 approval"]);
    const rules: PolicyRule[] = [
      { currency: "BRL", amountAtLeast: 500n, approvals: 2 },
      { country: "BR", firstTimeRecipient: true, approvals: 0 },
      { currency: "JPY", dailyTotalAtLeast: 9n, approvals: 3 },
    ];
    expect(describePolicy({ rules, defaultApprovals: 0 })).toEqual([
      "a payout in BRL of at least 500 minor units: 2 approvals",
      "a payout to BR to a recipient never paid before: no approval",
      "a payout in JPY that brings the day's total to at least 9 minor units: 3 approvals",
      "any other payout: no approval",
    ]);
  });
});
