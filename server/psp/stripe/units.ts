// Converts amounts between our minor units (ISO 4217) and Stripe's, exactly or not at all.
import { type Exponents, fromProviderUnits, toProviderUnits } from "../http/exponents";

/**
 * Stripe's digits where they differ from ISO 4217 (docs.stripe.com/currencies): ariary have none, and krónur and Ugandan
 * shillings are sent with two although they have none.
 */
const EXPONENTS: Exponents = { ISK: 2, MGA: 0, UGX: 2 };

/** Three-decimal currencies, of which Stripe accepts only amounts that end in 0. */
const ENDING_IN_ZERO: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

/** Returns an amount in Stripe's units, or null if Stripe cannot express it. */
export function toStripeUnits(amount: bigint, currency: string): number | null {
  const units = toProviderUnits(amount, currency, EXPONENTS);
  if (units === null || units > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  return ENDING_IN_ZERO.has(currency) && units % 10n !== 0n ? null : Number(units);
}

/** Returns an amount of Stripe, whose currencies are in lower case, in our units; null if we cannot express it. */
export function fromStripeUnits(units: number, currency: string): { amount: bigint; currency: string } | null {
  const code = currency.toUpperCase();
  const amount = fromProviderUnits(BigInt(units), code, EXPONENTS);
  return amount === null ? null : { amount, currency: code };
}
