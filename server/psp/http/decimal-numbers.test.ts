// Amounts as decimal JSON numbers, in whole units and with fractions.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromDecimalNumber, toDecimalNumber } from "./decimal-numbers";

const WHOLE_PESOS = { COP: 0 };

describe("to a decimal number", () => {
  it.each([
    [5_000_000n, "COP", 50_000],
    [5_000_050n, "COP", null],
    [50_000n, "CLP", 50_000],
    [1n, "BRL", 0.01],
    [1_050n, "BRL", 10.5],
    [12_345_678_901_234_567n, "ARS", null],
    [999_999_999_999_999n, "ARS", 9_999_999_999_999.99],
    [-1n, "BRL", null],
    [1_234n, "KWD", 1.234],
  ])("%s minor units of %s are %s", (amount, currency, expected) => {
    expect(toDecimalNumber(amount, currency, WHOLE_PESOS)).toBe(expected);
  });
});

describe("from a decimal number", () => {
  it.each([
    [50_000, "COP", 5_000_000n],
    [50_000.5, "COP", 5_000_050n],
    [50_000, "CLP", 50_000n],
    [50_000.5, "CLP", null],
    [382.0, "BRL", 38_200n],
    [0.1 + 0.2, "BRL", null],
    [1e21, "ARS", null],
    [Number.NaN, "BRL", null],
    [1, "XXX", null],
  ])("%s of %s are %s minor units", (value, currency, expected) => {
    expect(fromDecimalNumber(value, currency)).toBe(expected);
  });
});

it("what was sent comes back as it was, through JSON", () => {
  const amounts = fc.bigInt({ min: 1n, max: 999_999_999_999_999n });
  fc.assert(
    fc.property(amounts, fc.constantFrom("ARS", "BRL", "CLP", "COP", "INR", "MXN", "PEN"), (amount, currency) => {
      const sent = toDecimalNumber(amount, currency, WHOLE_PESOS);
      if (sent === null) return currency === "COP" && amount % 100n !== 0n;
      return fromDecimalNumber(JSON.parse(JSON.stringify(sent)) as number, currency) === amount;
    }),
  );
});
