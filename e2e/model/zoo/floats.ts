// Planted bugs that compute an amount with floating-point numbers.
import type { Patch } from "./patch";

const FX = "server/domain/fx.ts";
const FX_TESTS = { project: "unit", tests: ["server/domain/fx.test.ts"] } as const;

export const FLOAT_PATCHES: readonly Patch[] = [
  {
    name: "floats: a conversion",
    file: FX,
    within: "toDestination",
    find: "numerator / 10n ** BigInt(RATE_DIGITS + minorUnitDigits(c.sourceCurrency))",
    replace: "BigInt(Math.floor(Number(numerator) / 10 ** (RATE_DIGITS + minorUnitDigits(c.sourceCurrency))))",
    caughtBy: FX_TESTS,
  },
  {
    name: "floats: the credit of a top-up",
    file: FX,
    within: "creditFor",
    find: "(terms.destinationAmount * received) / terms.sourceAmount",
    replace: "BigInt(Math.floor(Number(terms.destinationAmount) * (Number(received) / Number(terms.sourceAmount))))",
    caughtBy: FX_TESTS,
  },
  {
    name: "floats: the fee of a quote",
    file: FX,
    within: "quoteTopup",
    find: "divideUp(net * BigInt(terms.feeBasisPoints), BASIS_POINTS)",
    replace: "BigInt(Math.ceil(Number(net) * (terms.feeBasisPoints / 10_000)))",
    caughtBy: FX_TESTS,
  },
  {
    name: "floats: an amount is read from the wire",
    file: "server/domain/money.ts",
    within: "parseAmount",
    find: "return BigInt(text);",
    replace: "return BigInt(Number(text));",
    caughtBy: { project: "unit", tests: ["server/domain/money.test.ts"] },
  },
  {
    name: "floats: a provider's decimal number becomes minor units",
    file: "server/psp/http/decimal-numbers.ts",
    within: "fromDecimalNumber",
    find: 'BigInt(whole + fraction.padEnd(digits, "0"))',
    replace: "BigInt(Math.trunc(Math.abs(value) * 10 ** digits))",
    caughtBy: { project: "unit", tests: ["server/psp/http/decimal-numbers.test.ts"] },
  },
];
