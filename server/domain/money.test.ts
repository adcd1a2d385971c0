import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ISO_CURRENCIES, minorUnitDigits, TOKEN_SYMBOLS } from "./currencies";
import { fromMajorUnits, LARGEST_AMOUNT, parseAmount, toDecimalString, toReadableString } from "./money";

const NOT_AMOUNTS = [
  "",
  " ",
  "0",
  "00",
  "01",
  "-1",
  "+1",
  " 1",
  "1 ",
  "1\n",
  "\n1",
  "1\u0000",
  "1.0",
  "1.",
  ".1",
  "1,000",
  "1_000",
  "1e3",
  "1E3",
  "0x10",
  "0b1",
  "1n",
  "NaN",
  "Infinity",
  "\uff11\uff10", // full-width digits
  "\u0661\u0662", // Arabic-Indic digits
  "\u00b2", // superscript
  "1\u200b", // zero-width space
  "\ufeff1",
];

describe("reading an amount", () => {
  it.each(NOT_AMOUNTS)("refuses %j", (text) => {
    expect(parseAmount(text, "BRL")).toBeNull();
    expect(parseAmount(text, "USDT")).toBeNull();
  });

  it("takes up to 15 digits of an ISO currency and up to 30 of a token", () => {
    const digits = (count: number) => "9".repeat(count);
    expect([parseAmount(digits(15), "BRL"), parseAmount(digits(16), "BRL")]).toEqual([10n ** 15n - 1n, null]);
    expect([parseAmount(digits(30), "USDT"), parseAmount(digits(31), "USDT")]).toEqual([10n ** 30n - 1n, null]);
    expect(parseAmount(`1${"0".repeat(31)}`, "ETH")).toBeNull();
  });

  it("takes the largest amount, and none that is larger", () => {
    expect(parseAmount(LARGEST_AMOUNT.toString(), "ETH")).toBe(LARGEST_AMOUNT);
    expect(parseAmount((LARGEST_AMOUNT + 1n).toString(), "ETH")).toBeNull();
  });

  it("keeps every digit, beyond what a JavaScript number holds", () => {
    const property = fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n - 1n }), (amount) => {
      expect(parseAmount(amount.toString(), "ETH")).toBe(amount);
    });
    fc.assert(property);
  });
});

describe("writing an amount", () => {
  it.each([
    ["JPY", 7n, "7"],
    ["JPY", 0n, "0"],
    ["BRL", 1050n, "10.50"],
    ["BRL", 5n, "0.05"],
    ["BRL", 0n, "0.00"],
    ["BRL", -5n, "-0.05"],
    ["KWD", 1n, "0.001"],
    ["CLF", 12_345n, "1.2345"],
    ["USDT", 1_000_000n, "1.000000"],
    ["BTC", 1n, "0.00000001"],
    ["ETH", 10n ** 18n + 1n, "1.000000000000000001"],
  ])("in %s shows %s as %s", (currency, amount, text) => {
    expect(toDecimalString(amount, currency)).toBe(text);
  });

  it("puts the point where the currency has it, and loses no digit", () => {
    const currencies = fc.constantFrom(...ISO_CURRENCIES, ...TOKEN_SYMBOLS);
    const property = fc.property(currencies, fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (currency, amount) => {
      const text = toDecimalString(amount, currency);
      expect(BigInt(text.replace(".", ""))).toBe(amount);
      expect(text.split(".")[1]?.length ?? 0).toBe(minorUnitDigits(currency));
      expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
    });
    fc.assert(property);
  });

  it.each([
    ["BRL", 123_456n, "1,234.56"],
    ["BRL", 12_345n, "123.45"],
    ["BRL", -100_000n, "-1,000.00"],
    ["BRL", -99_999n, "-999.99"],
    ["JPY", 999n, "999"],
    ["JPY", 1_234_567n, "1,234,567"],
    ["USDT", 1_234_567_890n, "1,234.567890"],
  ])("in %s shows people %s as %s", (currency, amount, text) => {
    expect(toReadableString(amount, currency)).toBe(text);
  });

  it("major units become minor units by the currency's digits", () => {
    const million = (currency: string) => fromMajorUnits(1_000_000n, currency);
    expect([million("JPY"), million("BRL"), million("KWD"), million("USDT")]).toEqual([
      1_000_000n,
      100_000_000n,
      1_000_000_000n,
      1_000_000_000_000n,
    ]);
  });
});
