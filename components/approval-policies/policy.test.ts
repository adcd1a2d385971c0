import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { policyLines } from "./policy";

const texts = dashboardTexts("en");

it("names every condition of a rule, amounts in people's form, and the default", () => {
  const rules = [
    { currency: "BRL", amount_at_least: "1000000", approvals: 2 },
    { currency: "JPY", country: "JP", approvals: 0 },
    { currency: "BRL", first_time_recipient: true as const, daily_total_at_least: "500", approvals: 3 },
  ];
  expect(policyLines(texts, { default_approvals: 1, rules })).toEqual([
    { condition: "Payouts of 10,000.00 BRL or more", approvals: "2 approvals" },
    { condition: "Payouts to JP in JPY", approvals: "no approval" },
    {
      condition: "Payouts to a recipient never paid before in BRL that bring the day's total to 5.00 BRL or more",
      approvals: "3 approvals",
    },
    { condition: "Every other payout", approvals: "1 approval" },
  ]);
  expect(policyLines(texts, { default_approvals: 1, rules: [] })).toEqual([
    { condition: "Every payout", approvals: "1 approval" },
  ]);
});
