// Amounts between our minor units and Xendit's decimal numbers.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromXenditAmount, toXenditAmount } from "./units";

describe("to Xendit", () => {
  it.each([
    [1_050_000n, "IDR", 10_500],
    [100n, "IDR", 1],
    [1_050_050n, "IDR", null],
    [1n, "IDR", null],
    [250_000n, "VND", 250_000],
    [1n, "PHP", 0.01],
    [100_055n, "PHP", 1_000.55],
    [29n, "THB", 0.29],
    [1_005n, "MYR", 10.05],
    [0n, "MYR", 0],
    [-1n, "MYR", null],
    [999_999_999_999_999n, "PHP", 9_999_999_999_999.99],
    [1_000_000_000_000_000n, "PHP", null],
  ])("%s minor units of %s are %s", (amount, currency, expected) => {
    expect(toXenditAmount(amount, currency)).toBe(expected);
  });
});

describe("from Xendit", () => {
  it.each([
    [10_500, "IDR", 1_050_000n],
    [10_000.01, "IDR", 1_000_001n],
    [10_500.005, "IDR", null],
    [250_000, "VND", 250_000n],
    [250_000.5, "VND", null],
    [0.1 + 0.2, "PHP", null],
    [0.3, "PHP", 30n],
    [-12.5, "PHP", -1_250n],
    [1e21, "PHP", null],
    [1e-7, "PHP", null],
    [Number.NaN, "PHP", null],
    [Number.POSITIVE_INFINITY, "PHP", null],
    [9_007_199_254_740_992, "PHP", null],
    [1, "XXX", null],
  ])("%s of %s are %s minor units", (value, currency, expected) => {
    expect(fromXenditAmount(value, currency)).toBe(expected);
  });
});

it("what was sent comes back as it was, through JSON", () => {
  const amounts = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
  fc.assert(
    fc.property(amounts, fc.constantFrom("IDR", "PHP", "VND", "THB", "MYR"), (amount, currency) => {
      const sent = toXenditAmount(amount, currency);
      if (sent === null) return currency === "IDR" && amount % 100n !== 0n;
      return fromXenditAmount(JSON.parse(JSON.stringify(sent)) as number, currency) === amount;
    }),
  );
});
