import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { draftOf, emptyRule, readDraft } from "./draft";

const texts = dashboardTexts("en");

const POLICY = {
  default_approvals: 1,
  rules: [
    { currency: "BRL", amount_at_least: "1000050", approvals: 2 },
    { currency: "JPY", country: "JP", daily_total_at_least: "5000", first_time_recipient: true as const, approvals: 3 },
  ],
};

it("returns the policy from which it was made", () => {
  expect(draftOf(texts, POLICY).rules[0]).toMatchObject({ amount: "10000.50" });
  expect(readDraft(texts, draftOf(texts, POLICY))).toEqual(POLICY);
});

it("names the rule with an invalid amount or without a currency", () => {
  const rule = emptyRule([]);
  const read = (changes: object) => readDraft(texts, { otherwise: 1, rules: [rule, { ...rule, ...changes }] });
  expect(read({ amount: "5" })).toEqual({ fault: "Rule 2: an amount needs a currency beside it." });
  for (const amount of ["5.123", "-5", "five"])
    expect(read({ currency: "BRL", amount })).toEqual({ fault: expect.stringContaining("Rule 2") as string });
  expect(emptyRule([rule]).key).not.toBe(rule.key);
});
