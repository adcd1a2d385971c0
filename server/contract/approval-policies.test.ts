import { expect, it } from "vitest";
import { writePolicy } from "@/server/domain/approval-policy-document";
import { approvalPolicyBody } from "./approval-policies";

const RULE = { currency: "BRL", amount_at_least: "500", first_time_recipient: true, approvals: 2 };

it("accepts the documented form of a policy", () => {
  const rules = [
    { currency: "BRL", amountAtLeast: 500n, dailyTotalAtLeast: 10n ** 14n, firstTimeRecipient: true, approvals: 3 },
    { country: "BR", approvals: 0 },
  ] as const;
  const written = writePolicy({ defaultApprovals: 1, rules });
  expect(approvalPolicyBody.parse(written)).toEqual(written);
});

it.each([
  ["cannot have the member", { default_approvals: 1, rules: [{ ...RULE, ammount_at_least: "5" }] }],
  ["cannot have the member", { default_approvals: 1, rules: [], default: 0 }],
  ["must be an object", { default_approvals: 1, rules: ["all"] }],
  ["must be a list", { default_approvals: 1, rules: {} }],
  ["must be a whole number", { default_approvals: "1", rules: [] }],
  ["must be a whole number", { default_approvals: 1.5, rules: [] }],
  ["must be at most", { default_approvals: 4, rules: [] }],
  ["must be at least", { default_approvals: 1, rules: [{ ...RULE, approvals: -1 }] }],
  ["must be true", { default_approvals: 1, rules: [{ ...RULE, first_time_recipient: false }] }],
  ["minor units", { default_approvals: 1, rules: [{ ...RULE, amount_at_least: "10.50" }] }],
  ["must be a string", { default_approvals: 1, rules: [{ ...RULE, amount_at_least: 500 }] }],
  ["must have at most", { default_approvals: 1, rules: Array.from({ length: 51 }, () => RULE) }],
])("rejects: %s", (message, document) => {
  const { error } = approvalPolicyBody.safeParse(document);
  expect(error?.issues[0]?.message).toContain(message);
});
