// Currency conversion for top-ups: quotes and credits in integer arithmetic, rounded in stated directions.
import { minorUnitDigits } from "./currencies";

const RATE_DIGITS = 6;
const RATE_PATTERN = /^(0|[1-9][0-9]*)\.[0-9]{6}$/;
const BASIS_POINTS = 10_000n;

export const FEE_MODES = ["absorbed", "added", "deducted"] as const;
/** Who bears the provider's fee: the operator (absorbed), the payer (added) or the credit (deducted). */
export type FeeMode = (typeof FEE_MODES)[number];

export interface QuoteTerms {
  /** Destination major units per one source major unit, six fraction digits: "5.430000" (interface §2.3). */
  readonly rate: string;
  readonly spreadBasisPoints: number;
  readonly feeBasisPoints: number;
  readonly feeMode: FeeMode;
}

export interface Quote {
  readonly rate: string;
  /** Destination minor units kept for the conversion. */
  readonly spreadAmount: bigint;
  /** What the payer sends, in source minor units, rounded up. */
  readonly sourceAmount: bigint;
  /** The provider's fee in source minor units. */
  readonly feeAmount: bigint;
}

export interface Conversion {
  readonly sourceCurrency: string;
  readonly destinationCurrency: string;
  readonly rate: string;
}

function rateMicros(rate: string): bigint {
  if (!RATE_PATTERN.test(rate)) throw new RangeError(`not a rate: ${rate}`);
  return BigInt(rate.replace(".", ""));
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

/** Value of source minor units in destination minor units, rounded down. */
export function toDestination(sourceAmount: bigint, c: Conversion): bigint {
  const numerator = sourceAmount * rateMicros(c.rate) * 10n ** BigInt(minorUnitDigits(c.destinationCurrency));
  return numerator / 10n ** BigInt(RATE_DIGITS + minorUnitDigits(c.sourceCurrency));
}

/** Source minor units needed for destination minor units, rounded up to the token's minor unit. */
export function toSource(destinationAmount: bigint, c: Conversion): bigint {
  const numerator = destinationAmount * 10n ** BigInt(RATE_DIGITS + minorUnitDigits(c.sourceCurrency));
  return divideUp(numerator, rateMicros(c.rate) * 10n ** BigInt(minorUnitDigits(c.destinationCurrency)));
}

/** What a payer must send so that the wallet receives `destinationAmount` (minor units), under the given terms. */
export function quoteTopup(destinationAmount: bigint, currencies: Omit<Conversion, "rate">, terms: QuoteTerms): Quote {
  const conversion = { ...currencies, rate: terms.rate };
  const spreadAmount = divideUp(destinationAmount * BigInt(terms.spreadBasisPoints), BASIS_POINTS);
  const net = toSource(destinationAmount + spreadAmount, conversion);
  const feeAmount = divideUp(net * BigInt(terms.feeBasisPoints), BASIS_POINTS);
  return {
    rate: terms.rate,
    spreadAmount,
    sourceAmount: terms.feeMode === "added" ? net + feeAmount : net,
    feeAmount,
  };
}

export interface CreditTerms extends Conversion {
  readonly destinationAmount: bigint;
  readonly sourceAmount: bigint;
  readonly feeAmount: bigint;
  readonly feeMode: FeeMode;
}

export interface Credit {
  readonly credit: bigint;
  readonly spread: bigint;
  readonly fee: bigint;
}

/**
 * How `received` source minor units divide, in destination minor units: the wallet's credit in proportion to what was
 * asked for (exactly the asked amount when paid exactly), rounded down; the provider's fee where the operator bears it
 * (negative); the rest is spread. Computed from stored fields alone, so it can be checked at any later time.
 */
export function creditFor(received: bigint, terms: CreditTerms): Credit {
  const gross = toDestination(received, terms);
  const fee = toDestination((terms.feeAmount * received) / terms.sourceAmount, terms);
  const whole = (terms.destinationAmount * received) / terms.sourceAmount;
  // Where one source unit is worth many of the destination's, a rounded fee can exceed a tiny sum.
  const credit = terms.feeMode !== "deducted" ? whole : whole > fee ? whole - fee : 0n;
  const bornByOthers = terms.feeMode === "absorbed" ? 0n : fee;
  return { credit, fee: bornByOthers - fee, spread: gross - credit - bornByOthers };
}
