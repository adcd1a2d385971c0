// No screen shows minor units: what the money components render is the decimal sum, to the last digit.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ISO_CURRENCIES, minorUnitDigits, TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { dashboardTexts } from "../i18n/catalogues";
import { TextsProvider } from "../i18n/use-texts";
import { AmountLink } from "../lists/amount-link";
import { sumOf } from "../payout-intents/payout";
import { sumsOf } from "../payout-intents/sums";
import { Amount } from "./amount";
import { formatAmount } from "./format-amount";
import { SignedAmount, signedText } from "./signed-amount";
import { sumText } from "./sum-text";

const texts = dashboardTexts("en");

type Money = { readonly amount: string; readonly currency: string };

/** Everything that shows a sum, as the text that it shows. */
const SHOWN: Readonly<Record<string, (money: Money) => string>> = {
  formatAmount: ({ amount, currency }) => formatAmount(texts, amount, currency),
  signedText: ({ amount, currency }) => signedText(texts, amount, currency),
  sumOf: (money) => sumOf(texts, money),
  sumsOf: (money) => sumsOf(texts, [money]).join(),
  sumText: ({ amount, currency }) => sumText(texts, amount, currency),
  Amount: ({ amount, currency }) => textOf(createElement(Amount, { minorUnits: amount, currency })),
  SignedAmount: ({ amount, currency }) => textOf(createElement(SignedAmount, { minorUnits: amount, currency })),
  AmountLink: ({ amount, currency }) => textOf(createElement(AmountLink, { href: "/", amount, currency })),
};

function textOf(element: Parameters<typeof renderToStaticMarkup>[0]): string {
  const given = { language: "en" as const, messages: {}, children: element };
  return renderToStaticMarkup(createElement(TextsProvider, given)).replaceAll(/<[^>]*>/g, "");
}

const money = fc.record({
  amount: fc.bigInt({ min: 1n, max: 10n ** 30n - 1n }).map(String),
  currency: fc.constantFrom(...ISO_CURRENCIES, ...TOKEN_SYMBOLS),
});

it.each(Object.entries(SHOWN))("%s shows the sum in major units, exactly", (_, shown) => {
  const property = fc.property(money, ({ amount, currency }) => {
    const digits = minorUnitDigits(currency);
    const [, figures = ""] = /([\d,.]+)/.exec(shown({ amount, currency })) ?? [];
    const [whole = "", fraction = ""] = figures.split(".");
    expect(fraction).toHaveLength(digits);
    expect(whole).toMatch(/^\d{1,3}(,\d{3})*$/);
    expect(BigInt(whole.replaceAll(",", "") + fraction).toString()).toBe(amount);
  });
  fc.assert(property, { numRuns: 200 });
});

/** An amount that is rendered as it is on the wire: `{amount}` as a child, or `${amount}` in a text. */
const RAW_AMOUNT = /(?:[>\s]|\$)\{(?:[\w.?]+\.)?(?:\w*[aA]mount|minorUnits)\}/;

/** An amount that is filled into a text as it is on the wire: `{ amount: payout.amount }`. */
const RAW_VALUE = /texts(?:\.rich)?\("[^"]+", \{[^{}]*: [\w.?]+\.(?:\w*[aA]mount|minorUnits)\b/;

/** Names the unit of a sum whose currency nobody knows. */
const ALLOWED = "money/sum-text.ts";

it("no component renders an amount as it is on the wire", () => {
  const root = "components";
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => /(?<!\.test)\.tsx?$/.test(file) && file !== ALLOWED && !file.startsWith("i18n/dashboard/"),
  );
  expect(files.length).toBeGreaterThan(100);
  const raw = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, at) =>
        RAW_AMOUNT.test(line) || RAW_VALUE.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [],
      ),
  );
  expect(raw).toEqual([]);
});
