import { minorUnitDigits } from "@/server/domain/currencies";
import { toDecimalString } from "@/server/domain/money";

/**
 * Minor units as people of a locale read them, with the currency's sign: ("123456", "BRL", "pt-BR") → "R$ 1.234,56". Exact.
 * Decimal places that the locale does not write for the currency are left out where they are zero.
 */
export function localAmount(minorUnits: string, currency: string, locale: string): string {
  const decimal = toDecimalString(BigInt(minorUnits), currency);
  const digits = minorUnitDigits(currency);
  // Between letters that run to the left, "R$" would be shown as "$R"; a code has letters only.
  const isToLeft = new Intl.Locale(locale).language === "ar";
  const style = { style: "currency", currency, currencyDisplay: isToLeft ? "code" : "symbol" } as const;
  const usual = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits ?? digits;
  const isRound = /^-?\d+(?:\.0*)?$/.test(decimal);
  const places = isRound ? Math.min(usual, digits) : digits;
  const format = new Intl.NumberFormat(locale, {
    ...style,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  // A text is formatted digit by digit; a number would be rounded.
  return format.format(decimal as Intl.StringNumericLiteral);
}
