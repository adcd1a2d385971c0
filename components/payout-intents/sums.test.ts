import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { sumsOf } from "./sums";

const texts = dashboardTexts("en");

it("adds per currency, ordered by code, exact beyond the range of numbers", () => {
  const payouts = [
    { amount: "999999999999999", currency: "MXN" },
    { amount: "2", currency: "MXN" },
    { amount: "150000", currency: "BRL" },
    { amount: "350000", currency: "JPY" },
    { amount: "123456789012345678901234567890", currency: "USDT" },
  ];
  expect(sumsOf(texts, payouts)).toEqual([
    "1,500.00 BRL",
    "350,000 JPY",
    "10,000,000,000,000.01 MXN",
    "123,456,789,012,345,678,901,234.567890 USDT",
  ]);
  expect(sumsOf(texts, [])).toEqual([]);
});
