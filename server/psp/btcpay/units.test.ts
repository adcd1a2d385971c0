// Amounts of BTCPay: exact, or none.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBtcpayAmount, rateOf, toBtcpayAmount, totalOf } from "./units";

describe("an amount", () => {
  it.each([
    [1n, "BTC", "0.00000001"],
    [100_000_000n, "BTC", "1.00000000"],
    [2_100_000_000_000_000n, "BTC", "21000000.00000000"],
    [18_416_207n, "USDT", "18.416207"],
    [999n, "USDT", "0.000999"],
  ])("of %s minor units of %s is %s", (amount, token, text) => {
    expect(toBtcpayAmount(amount, token)).toBe(text);
    expect(fromBtcpayAmount(text, token)).toBe(amount);
  });

  it("is the same after its way to BTCPay and back, however large", () => {
    const property = fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 29n }),
      fc.constantFrom("BTC", "USDT"),
      (amount, token) => {
        expect(fromBtcpayAmount(toBtcpayAmount(amount, token), token)).toBe(amount);
      },
    );
    fc.assert(property);
  });

  it.each([
    "",
    "1.",
    ".5",
    "-1",
    "+1",
    "1e-8",
    "1E8",
    "0x10",
    "NaN",
    " 1",
    "1,5",
    "1".repeat(31),
    `0.${"1".repeat(19)}`,
  ])("is not %j", (text) => {
    expect(fromBtcpayAmount(text, "BTC")).toBeNull();
    expect(totalOf(["1", text], "BTC")).toBeNull();
    expect(rateOf(text)).toBeNull();
  });

  it("that is not exact in minor units is none, but zeros at its end do not count", () => {
    expect(fromBtcpayAmount("1.0000001", "USDT")).toBeNull();
    expect(fromBtcpayAmount("1.00000010000000", "BTC")).toBe(100_000_010n);
  });
});

describe("a total", () => {
  it("adds exactly what a binary number cannot", () => {
    expect(totalOf(["0.1", "0.2"], "BTC")).toBe(30_000_000n);
    expect(totalOf([], "BTC")).toBe(0n);
  });

  it("leaves out what is beyond the last minor unit of the sum, not of each part", () => {
    expect(totalOf(["1.00000050", "1.00000050"], "USDT")).toBe(2_000_001n);
    expect(totalOf(["1.00000099"], "USDT")).toBe(1_000_000n);
  });
});

describe("a rate", () => {
  it.each([
    ["64392.23", "64392.230000"],
    ["64392.2345678", "64392.234567"],
    ["5", "5.000000"],
    ["0.0000019", "0.000001"],
  ])("%s is %s: never more than BTCPay's", (text, rate) => {
    expect(rateOf(text)).toBe(rate);
  });

  it.each(["0", "0.0000009", "0.0"])("%s is none", (text) => {
    expect(rateOf(text)).toBeNull();
  });
});
