// Converts amounts between our minor units and BTCPay's decimal texts, exactly: no number ever holds one.
import { minorUnitDigits } from "@/server/domain/currencies";

/** More digits after the point than any chain has. */
const EXACT_DIGITS = 18;
const RATE_DIGITS = 6;

/** Returns a decimal text times 10^18; null if it is no decimal, is negative, or has more digits. */
function scaled(text: string): bigint | null {
  const [, whole, fraction = ""] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text) ?? [];
  const digits = fraction.replace(/0+$/, "");
  if (whole === undefined || digits.length > EXACT_DIGITS) return null;
  return BigInt(whole + digits.padEnd(EXACT_DIGITS, "0"));
}

/** Returns a sum of the token as BTCPay writes it, with all digits of the token. */
export function toBtcpayAmount(amount: bigint, token: string): string {
  const digits = minorUnitDigits(token);
  const text = amount.toString().padStart(digits + 1, "0");
  const point = text.length - digits;
  return `${text.slice(0, point)}.${text.slice(point)}`;
}

/** Returns an amount in minor units of the token, or null if it is not exact in them. */
export function fromBtcpayAmount(text: string, token: string): bigint | null {
  const exact = scaled(text);
  const unit = 10n ** BigInt(EXACT_DIGITS - minorUnitDigits(token));
  return exact === null || exact % unit !== 0n ? null : exact / unit;
}

/**
 * Returns the sum of the amounts in minor units of the token, or null if one is no amount. They are summed exactly, and what
 * the sum has beyond the last minor unit is left out: Liquid's USDT has eight digits, ours six.
 */
export function totalOf(texts: readonly string[], token: string): bigint | null {
  let sum = 0n;
  for (const text of texts) {
    const exact = scaled(text);
    if (exact === null) return null;
    sum += exact;
  }
  return sum / 10n ** BigInt(EXACT_DIGITS - minorUnitDigits(token));
}

/** Returns a rate with six fraction digits, or null if it is none or zero. What is cut off is the payer's. */
export function rateOf(text: string): string | null {
  const exact = scaled(text);
  const cut = exact === null ? 0n : exact / 10n ** BigInt(EXACT_DIGITS - RATE_DIGITS);
  if (cut === 0n) return null;
  const digits = cut.toString().padStart(RATE_DIGITS + 1, "0");
  return `${digits.slice(0, -RATE_DIGITS)}.${digits.slice(-RATE_DIGITS)}`;
}
