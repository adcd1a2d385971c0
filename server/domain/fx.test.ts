import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CreditTerms, creditFor, FEE_MODES, quoteTopup, toDestination, toSource } from "./fx";

const PAIRS = [
  ["USDT", "BRL"],
  ["USDT", "JPY"],
  ["USDC", "KWD"],
  ["BTC", "IDR"],
  ["BTC", "CLF"],
  ["ETH", "USD"],
  ["ETH", "USDT"],
  ["USDT", "BTC"],
] as const;

const pair = fc
  .constantFrom(...PAIRS)
  .map(([sourceCurrency, destinationCurrency]) => ({ sourceCurrency, destinationCurrency }));
/** From 0.000001 to a million. */
const rate = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((micros) => {
  const text = micros.toString().padStart(7, "0");
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
});
const amount = fc.oneof(fc.bigInt({ min: 1n, max: 1000n }), fc.bigInt({ min: 1n, max: 10n ** 18n }));

const quoted = fc
  .record({
    pair,
    rate,
    amount,
    spreadBasisPoints: fc.integer({ min: 0, max: 10_000 }),
    feeBasisPoints: fc.integer({ min: 0, max: 1_000 }),
    feeMode: fc.constantFrom(...FEE_MODES),
  })
  .map(({ pair: currencies, amount: destinationAmount, ...terms }) => {
    const quote = quoteTopup(destinationAmount, currencies, terms);
    const stored: CreditTerms = { ...currencies, ...quote, destinationAmount, feeMode: terms.feeMode };
    return { quote, stored };
  });

const RUNS = { numRuns: 1_000 };

describe("conversion", () => {
  it.each([
    ["exactly", 1_000_000n, "USDT", "BRL", "5.430000", 543n],
    ["rounded down", 1_999_999n, "USDT", "JPY", "150.000000", 299n],
    ["to three digits", 1_000_000n, "USDC", "KWD", "0.307000", 307n],
    ["from eighteen digits", 10n ** 18n, "ETH", "USD", "3300.000000", 330_000n],
    ["to nothing", 1n, "USDT", "BRL", "5.430000", 0n],
  ])("values source units %s", (_how, source, sourceCurrency, destinationCurrency, at, expected) => {
    expect(toDestination(source, { sourceCurrency, destinationCurrency, rate: at })).toBe(expected);
  });

  it("asks for the fewest source units that are worth the sum, so rounds up and never by more than one", () => {
    const property = fc.property(pair, rate, amount, (currencies, at, wanted) => {
      const conversion = { ...currencies, rate: at };
      const source = toSource(wanted, conversion);
      expect(toDestination(source, conversion)).toBeGreaterThanOrEqual(wanted);
      expect(toDestination(source - 1n, conversion)).toBeLessThan(wanted);
    });
    fc.assert(property, RUNS);
  });

  it.each(["5.43", "5", "05.430000", "5,430000", "-5.430000", "1e3.000000", " 5.430000", "5.430000\n", ""])(
    "refuses the rate %j",
    (at) => {
      expect(() => toDestination(1n, { sourceCurrency: "USDT", destinationCurrency: "BRL", rate: at })).toThrow(
        RangeError,
      );
    },
  );
});

describe("a quote", () => {
  it("adds the spread, rounded up, and the fee only where the payer bears it", () => {
    const currencies = { sourceCurrency: "USDT", destinationCurrency: "BRL" };
    const terms = { rate: "5.000000", spreadBasisPoints: 50, feeBasisPoints: 10 };
    const [absorbed, added, deducted] = (["absorbed", "added", "deducted"] as const).map((feeMode) =>
      quoteTopup(1_001n, currencies, { ...terms, feeMode }),
    );
    expect(absorbed).toEqual({ rate: "5.000000", spreadAmount: 6n, sourceAmount: 2_014_000n, feeAmount: 2_014n });
    expect(deducted).toEqual(absorbed);
    expect(added).toEqual({ ...absorbed, sourceAmount: 2_016_014n });
  });

  it("has the smallest fee that is at least its share, to the last digit", () => {
    const property = fc.property(quoted, fc.integer({ min: 1, max: 1_000 }), ({ stored }, feeBasisPoints) => {
      const terms = { rate: stored.rate, spreadBasisPoints: 0, feeBasisPoints, feeMode: "absorbed" } as const;
      const { sourceAmount, feeAmount } = quoteTopup(stored.destinationAmount, stored, terms);
      const excess = feeAmount * 10_000n - sourceAmount * BigInt(feeBasisPoints);
      expect(excess >= 0n && excess < 10_000n).toBe(true);
    });
    fc.assert(property, RUNS);
  });
});

describe("a credit", () => {
  it("for an exact payment is exactly the asked-for sum, unless the fee is deducted from it", () => {
    const property = fc.property(quoted, ({ stored }) => {
      const { credit } = creditFor(stored.sourceAmount, stored);
      expect(credit).toBeLessThanOrEqual(stored.destinationAmount);
      expect(stored.feeMode === "deducted" || credit === stored.destinationAmount).toBe(true);
    });
    fc.assert(property, RUNS);
  });

  it("is less the provider's fee where that is deducted, down to nothing", () => {
    const pair = { sourceCurrency: "USDT", destinationCurrency: "BRL", rate: "5.000000" };
    const terms = { ...pair, destinationAmount: 500n, sourceAmount: 1_000_000n, feeMode: "deducted" } as const;
    const credits = [0n, 100_000n, 1_000_000n, 2_000_000n].map(
      (feeAmount) => creditFor(1_000_000n, { ...terms, feeAmount }).credit,
    );
    expect(credits).toEqual([500n, 450n, 0n, 0n]);
  });

  it("for an exact payment leaves a spread that is never negative", () => {
    const property = fc.property(quoted, ({ stored }) => {
      expect(creditFor(stored.sourceAmount, stored).spread).toBeGreaterThanOrEqual(0n);
    });
    fc.assert(property, RUNS);
  });

  it("for any payment is never negative and never exceeds its share of the sum", () => {
    const property = fc.property(quoted, amount, ({ stored }, received) => {
      const { credit } = creditFor(received, stored);
      expect(credit).toBeGreaterThanOrEqual(0n);
      expect(credit * stored.sourceAmount).toBeLessThanOrEqual(stored.destinationAmount * received);
    });
    fc.assert(property, RUNS);
  });

  it("divides the value of any payment, less the provider's fee, without a unit left over", () => {
    const property = fc.property(quoted, amount, ({ stored }, received) => {
      const { credit, spread, fee } = creditFor(received, stored);
      const feeShare = toDestination((stored.feeAmount * received) / stored.sourceAmount, stored);
      expect(credit + spread + fee).toBe(toDestination(received, stored) - feeShare);
      expect(fee).toBe(stored.feeMode === "absorbed" ? -feeShare : 0n);
    });
    fc.assert(property, RUNS);
  });

  it("follows from the stored texts alone: what was written and read back credits the same", () => {
    const property = fc.property(quoted, amount, ({ stored }, received) => {
      const text = JSON.stringify(stored, (_, value: unknown) =>
        typeof value === "bigint" ? value.toString() : value,
      );
      const read = JSON.parse(text) as Record<string, string>;
      const back = Object.fromEntries(
        Object.entries(read).map(([name, value]) => [name, name.endsWith("Amount") ? BigInt(value) : value]),
      ) as unknown as CreditTerms;
      expect(creditFor(received, back)).toEqual(creditFor(received, stored));
    });
    fc.assert(property, { numRuns: 200 });
  });
});
