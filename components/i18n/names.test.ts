import { expect, it } from "vitest";
import { countryName, currencyName, monthName } from "./names";

it.each([
  ["en", "November 2026", "Brazil", "Brazilian Real"],
  ["pt-BR", "novembro de 2026", "Brasil", "real brasileiro"],
  ["es", "noviembre de 2026", "Brasil", "real brasileño"],
] as const)("%s", (language, month, country, currency) => {
  expect(monthName(language, "2026-11")).toBe(month);
  expect(countryName(language, "BR")).toBe(country);
  // Releases of the platform differ in the capital.
  expect(currencyName(language, "BRL").toLowerCase()).toBe(currency.toLowerCase());
});

it("a month is the same in every zone", () => expect(monthName("en", "2026-01")).toBe("January 2026"));

it.each(["", "x", "BRA", "<b>"])("the code %j is no country and stays as it is", (code) =>
  expect(countryName("es", code)).toBe(code),
);
