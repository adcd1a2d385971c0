// Converts amounts for providers whose minor units of a currency differ from ours: exactly, or not at all.
import { isKnownCurrency, minorUnitDigits } from "@/server/domain/currencies";

/** The provider's digits after the decimal point, for the currencies where they differ from ours. */
export type Exponents = Readonly<Record<string, number>>;

function rescale(amount: bigint, from: number, to: number): bigint | null {
  if (to >= from) return amount * 10n ** BigInt(to - from);
  const divisor = 10n ** BigInt(from - to);
  return amount % divisor === 0n ? amount / divisor : null;
}

/** Converts our minor units to the provider's. Returns null if the amount cannot be expressed exactly. */
export function toProviderUnits(amount: bigint, currency: string, exponents: Exponents): bigint | null {
  const ours = minorUnitDigits(currency);
  return rescale(amount, ours, exponents[currency] ?? ours);
}

/** Converts the provider's minor units to ours. Returns null for an unknown currency or an inexact amount. */
export function fromProviderUnits(amount: bigint, currency: string, exponents: Exponents): bigint | null {
  if (!isKnownCurrency(currency)) return null;
  const ours = minorUnitDigits(currency);
  return rescale(amount, exponents[currency] ?? ours, ours);
}
