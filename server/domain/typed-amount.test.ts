import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ISO_CURRENCIES, minorUnitDigits, TOKEN_SYMBOLS } from "./currencies";
import { DASHBOARD_LANGUAGES } from "./dashboard-languages";
import { localSum } from "./local-sum";
import { toDecimalString, toReadableString } from "./money";
import { readTypedAmount } from "./typed-amount";

it("reads amounts exactly, with the digits of the currency", () => {
  const cases = [
    ["1,234.5", "BRL", "123450"],
    ["1,234,567.89", "BRL", "123456789"],
    ["0.07", "BRL", "7"],
    [" 10000 ", "BRL", "1000000"],
    ["100", "JPY", "100"],
    ["1.5", "KWD", "1500"],
    ["99999999999999999999", "ETH", "99999999999999999999000000000000000000"],
  ] as const;
  for (const [typed, currency, units] of cases)
    expect([typed, readTypedAmount(typed, currency)]).toEqual([typed, units]);
});

it.each(["", "0", "0.00", "-1", "1.234", "1.", ".5", "1e3", "ten", "1 000", "1,25", "1,2345", "12,34,567", ",123"])(
  "rejects %o as an amount of BRL",
  (typed) => expect(readTypedAmount(typed, "BRL")).toBeNull(),
);

describe("in a language with a comma before the decimals", () => {
  it.each([
    ["1.234,5", "BRL", "123450"],
    ["1.234.567,89", "BRL", "123456789"],
    ["0,07", "BRL", "7"],
    ["1250", "BRL", "125000"],
    ["1.500", "BRL", "150000"],
    ["1.500", "JPY", "1500"],
    ["1,5", "KWD", "1500"],
    ["1,250", "KWD", "1250"],
  ])("%s of %s", (typed, currency, units) => {
    expect(readTypedAmount(typed, currency, "pt-BR")).toBe(units);
  });

  it.each([
    "",
    "0",
    "0,00",
    "-1",
    "1,234",
    "1,",
    ",5",
    "1.25",
    "1.5",
    "1,250.50",
    "1250.50",
    "12.34.567",
    "1.2345",
    "1.,5",
  ])("rejects %o of BRL", (typed) => expect(readTypedAmount(typed, "BRL", "pt-BR")).toBeNull());
});

describe("a text that could mean two amounts", () => {
  it.each([
    ["1,250", "en"],
    ["1.250", "pt-BR"],
    ["1,250", "es"],
  ] as const)("%s of KWD is rejected in %s: 1250 or 1 and a quarter", (typed, language) =>
    expect(readTypedAmount(typed, "KWD", language)).toBeNull(),
  );

  it("is never read as different amounts by two languages, unless each writes it that way itself", () => {
    const digit = fc.stringMatching(/^[0-9]{1,4}(?:[.,][0-9]{1,4}){0,2}$/);
    const property = fc.property(digit, fc.constantFrom("BRL", "KWD", "CLF", "ETH"), (typed, currency) => {
      const [english, portuguese] = [readTypedAmount(typed, currency, "en"), readTypedAmount(typed, currency, "pt-BR")];
      if (english === null || portuguese === null || english === portuguese) return;
      const shown = (language: "en" | "pt-BR", units: string) =>
        [toReadableString(BigInt(units), currency), toDecimalString(BigInt(units), currency)].map((sum) =>
          localSum(language, sum),
        );
      expect([...shown("en", english), ...shown("pt-BR", portuguese)]).toContain(typed);
    });
    fc.assert(property, { numRuns: 3_000 });
  });
});

it.each(DASHBOARD_LANGUAGES)("in %s, what is shown of any currency is read as the same minor units", (language) => {
  const money = fc.record({
    units: fc.bigInt({ min: 1n, max: 10n ** 30n - 1n }),
    currency: fc.constantFrom("JPY", "BRL", "KWD", "CLF", "USDT", "ETH", ...ISO_CURRENCIES, ...TOKEN_SYMBOLS),
  });
  const property = fc.property(money, ({ units, currency }) => {
    const shown = toReadableString(units, currency);
    expect(readTypedAmount(localSum(language, shown), currency, language)).toBe(units.toString());
    const plain = toDecimalString(units, currency);
    // Without groups, so many digits before the decimals are a slip.
    const isRead = plain.length - minorUnitDigits(currency) <= 20;
    const read = isRead ? readTypedAmount(localSum(language, plain), currency, language) : units.toString();
    expect(read).toBe(units.toString());
  });
  fc.assert(property, { numRuns: 1_000 });
});
