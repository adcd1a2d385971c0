import { expect, it } from "vitest";
import { COUNTRIES, isCountry } from "./countries";
import { ISO_CURRENCIES, isIsoCurrency, isKnownCurrency, isToken, minorUnitDigits, TOKEN_SYMBOLS } from "./currencies";

/** ISO 4217's currencies whose minor unit has other than two digits. */
const OTHER_THAN_TWO: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

it("a currency has the digits that ISO 4217 gives it", () => {
  const exceptions = new Map(
    Object.entries(OTHER_THAN_TWO).flatMap(([digits, codes]) => codes.split(" ").map((code) => [code, Number(digits)])),
  );
  expect([...exceptions.keys()].filter((code) => !isIsoCurrency(String(code)))).toEqual([]);
  for (const code of ISO_CURRENCIES) expect([code, minorUnitDigits(code)]).toEqual([code, exceptions.get(code) ?? 2]);
});

it("currencies whose digits Intl shows otherwise have ISO's all the same", () => {
  for (const code of ["COP", "IDR", "HUF", "PKR", "LBP", "KPW", "MMK", "RSD"]) expect(minorUnitDigits(code)).toBe(2);
  expect(minorUnitDigits("IQD")).toBe(3);
});

it("the list of ISO currencies is sorted, for people to choose from", () => {
  expect(ISO_CURRENCIES).toEqual([...ISO_CURRENCIES].sort());
  expect(ISO_CURRENCIES).toEqual(expect.arrayContaining(["BRL", "CLF", "JPY", "KWD"]));
});

it("tokens have their own digits and are not ISO currencies", () => {
  expect(TOKEN_SYMBOLS.map((token) => [token, minorUnitDigits(token), isToken(token), isIsoCurrency(token)])).toEqual([
    ["USDT", 6, true, false],
    ["USDC", 6, true, false],
    ["BTC", 8, true, false],
    ["ETH", 18, true, false],
  ]);
});

it.each(["", "brl", "BR", "BRLX", "XXX", "toString", "__proto__", "constructor", "BRL\n"])(
  "%j is no currency",
  (code) => {
    expect(isKnownCurrency(code)).toBe(false);
    expect(() => minorUnitDigits(code)).toThrow(RangeError);
  },
);

it("the countries are the 249 that ISO 3166-1 assigns", () => {
  expect(COUNTRIES.size).toBe(249);
  const strange = ["UK", "EU", "XK", "AN", "ZZ", "br", "B", "BRA", ""];
  expect(strange.filter(isCountry)).toEqual([]);
});
