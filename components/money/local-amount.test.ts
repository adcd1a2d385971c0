import { describe, expect, it } from "vitest";
import { PAYER_LANGUAGES } from "@/server/contract/languages";
import { ISO_CURRENCIES, minorUnitDigits } from "@/server/domain/currencies";
import { localAmount } from "./local-amount";

/** Spaces that do not break look like others. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

describe("an amount as people of a locale read it", () => {
  it.each([
    ["123456", "BRL", "pt-BR", "R$ 1.234,56"],
    ["123456", "BRL", "en", "R$1,234.56"],
    ["98765490", "MXN", "es-MX", "$987,654.90"],
    ["98765490", "MXN", "es", "987.654,90 MXN"],
    ["12500000", "IDR", "id", "Rp 125.000"],
    ["12500050", "IDR", "id", "Rp 125.000,50"],
    ["250000", "VND", "vi", "250.000 ₫"],
    ["1980", "JPY", "ja", "￥1,980"],
    ["1000", "KWD", "en", "KWD 1.000"],
    ["123456", "BRL", "ar", "\u200f1,234.56 BRL"],
    ["99999999999999999999999999999999", "BRL", "pt-BR", "R$ 999.999.999.999.999.999.999.999.999.999,99"],
  ])("%s %s in %s", (minorUnits, currency, locale, text) =>
    expect(plain(localAmount(minorUnits, currency, locale))).toBe(text),
  );

  it("no currency loses or gains a digit in any language", () => {
    for (const language of PAYER_LANGUAGES)
      for (const currency of ISO_CURRENCIES)
        for (const minorUnits of ["1", "10203040506070809", "100000000"]) {
          const latin = `${language}-u-nu-latn`;
          const digits = localAmount(minorUnits, currency, latin).replace(/\D/g, "");
          const whole = minorUnits.padStart(minorUnitDigits(currency) + 1, "0");
          const left = whole.startsWith(digits) ? whole.slice(digits.length) : whole;
          // Only zeros after the decimal sign may be left out.
          expect(left, `${language} ${currency} ${digits}`).toMatch(new RegExp(`^0{0,${minorUnitDigits(currency)}}$`));
        }
  });
});
