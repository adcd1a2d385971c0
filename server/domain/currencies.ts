// The currencies and tokens the service knows, with the number of minor-unit digits of each.

/**
 * Digits after the decimal point. The table is ISO 4217's, not `Intl`'s: ICU shows 0 digits for COP, IDR, HUF and
 * others whose minor unit exists on the wire, and it throws on tokens.
 */
const ZERO_DIGITS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const TWO_DIGITS =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC " +
  "CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES " +
  "KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR " +
  "NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT " +
  "TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG";
const THREE_DIGITS = "BHD IQD JOD KWD LYD OMR TND";
const FOUR_DIGITS = "CLF UYW";
const TOKENS: Readonly<Record<string, number>> = { USDT: 6, USDC: 6, BTC: 8, ETH: 18 };

const ISO_DIGITS: ReadonlyMap<string, number> = new Map(
  [ZERO_DIGITS, "", TWO_DIGITS, THREE_DIGITS, FOUR_DIGITS].flatMap((codes, digits) =>
    codes
      .split(" ")
      .filter(Boolean)
      .map((code) => [code, digits] as const),
  ),
);

export const ISO_CURRENCIES: readonly string[] = [...ISO_DIGITS.keys()].sort();
export const TOKEN_SYMBOLS: readonly string[] = Object.keys(TOKENS);

/** True for an ISO 4217 code, false for tokens and anything else. */
export function isIsoCurrency(code: string): boolean {
  return ISO_DIGITS.has(code);
}

/** True for a token symbol such as USDT. */
export function isToken(code: string): boolean {
  return Object.hasOwn(TOKENS, code);
}

/** True for every code the service can hold amounts in. */
export function isKnownCurrency(code: string): boolean {
  return isIsoCurrency(code) || isToken(code);
}

/** Digits after the decimal point of a known code; throws a RangeError for an unknown one, which is a bug upstream. */
export function minorUnitDigits(code: string): number {
  const digits = ISO_DIGITS.get(code) ?? (isToken(code) ? TOKENS[code] : undefined);
  if (digits === undefined) throw new RangeError(`unknown currency ${code}`);
  return digits;
}
