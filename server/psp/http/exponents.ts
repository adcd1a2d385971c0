// Converting amounts where a provider counts a currency in other minor units than we do: exactly, or not at all.
import { isKnownCurrency, minorUnitDigits } from "@/server/domain/currencies";

/** The provider's digits after the decimal point, for the currencies where they differ from ours. */
export type Exponents = Readonly<Record<string, number>>;

function rescale(amount: bigint, from: number, to: number): bigint | null {
  if (to >= from) return amount * 10n ** BigInt(to - from);
  const divisor = 10n ** BigInt(from - to);
  return amount % divisor === 0n ? amount / divisor : null;
}

/** Our minor units in the provider's, or null when the sum cannot be expressed exactly. */
export function toProviderUnits(amount: bigint, currency: string, exponents: Exponents): bigint | null {
  const ours = minorUnitDigits(currency);
  return rescale(amount, ours, exponents[currency] ?? ours);
}

/** The provider's minor units in ours, or null for an unknown currency or a sum that cannot be expressed exactly. */
export function fromProviderUnits(amount: bigint, currency: string, exponents: Exponents): bigint | null {
  if (!isKnownCurrency(currency)) return null;
  const ours = minorUnitDigits(currency);
  return rescale(amount, exponents[currency] ?? ours, ours);
}
