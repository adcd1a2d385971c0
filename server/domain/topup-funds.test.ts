// How the funds of a top-up divide where roundings show: at one unit, or where one source unit is worth next to nothing.
import { describe, expect, it } from "vitest";
import { FEE_MODES } from "./fx";
import { sampleTopup } from "./testing/samples";
import { divideFunds, divideGrowth, divideRest, valueOf } from "./topup-funds";

/** One cent buys a hundred units of the source; the provider takes 3 %. */
const cheap = {
  ...sampleTopup(),
  rate: "100.000000",
  sourceAmount: 3_300n,
  destinationAmount: 32n,
  spreadAmount: 1n,
  feeAmount: 99n,
};

describe("what is kept of an overpayment", () => {
  const policies = { ...sampleTopup().policies, overpayment: "hold" } as const;

  it.each(FEE_MODES)("is never below zero, although the fee of a larger sum can round up first: %s", (feeMode) => {
    const terms = { ...cheap, feeMode, policies };
    expect(valueOf(3_334n, terms)).toBeLessThan(valueOf(3_300n, terms));
    expect(divideFunds(3_334n, terms)).toEqual({ credited: divideFunds(3_300n, terms).credited, rest: 0n });
  });

  it("is what it is worth beyond the sum that was asked for", () => {
    const terms = { ...cheap, policies };
    expect(divideFunds(6_600n, terms).rest).toBe(valueOf(6_600n, terms) - valueOf(3_300n, terms));
  });
});

describe("the growth of a total", () => {
  const terms = sampleTopup();
  const asked = terms.sourceAmount;

  it("divides as the larger total less the smaller", () => {
    const [half, all] = [asked / 2n, asked].map((total) => divideFunds(total, terms).credited);
    const value = valueOf(asked, terms) - valueOf(asked / 2n, terms);
    const parts = divideGrowth(asked / 2n, asked, value, terms);
    expect(parts.credit).toBe((all?.credit ?? 0n) - (half?.credit ?? 0n));
    expect(parts.spread).toBe((all?.spread ?? 0n) - (half?.spread ?? 0n));
    expect(parts.fee).toBe((all?.fee ?? 0n) - (half?.fee ?? 0n));
  });

  it("divides by itself where it is worth another sum than the totals differ by", () => {
    expect(divideGrowth(0n, asked, 777n, terms)).toEqual(divideRest(777n, terms));
  });

  it("takes nothing back of what was credited, where a deducted fee grows faster than a tiny credit", () => {
    const changes = { sourceAmount: 10n, destinationAmount: 10n, spreadAmount: 0n, feeAmount: 1n } as const;
    const pair = { sourceCurrency: "BTC", destinationCurrency: "IDR", rate: "1600000000.000000" } as const;
    const tiny = sampleTopup("requires_payment", { ...changes, ...pair, feeMode: "deducted" });
    const value = valueOf(10n, tiny) - valueOf(1n, tiny);
    expect(divideGrowth(1n, 10n, value, tiny)).toEqual(divideRest(value, tiny));
  });
});
