import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { changeText, percentText } from "./change-text";

const texts = dashboardTexts("en");

it.each([
  ["1125", "1000", "12.5% more than before"],
  ["500", "1000", "50.0% less than before"],
  ["1000", "1000", "as much as before"],
  ["0", "1000", "100.0% less than before"],
  ["1000", "0", null],
  ["300000000000000000000000000000", "100000000000000000000000000000", "200.0% more than before"],
])("%s beside %s: %s", (now, before, expected) => expect(changeText(texts, now, before)).toBe(expected));

it.each([
  [4, 6, "66.7%"],
  [1, 3, "33.3%"],
  [999, 1_000, "99.9%"],
  [99_999, 100_000, "99.9%"],
  [1, 100_000, "0.1%"],
  [7, 7, "100.0%"],
  [0, 3, "0.0%"],
  [0, 0, null],
])("%i of %i: %s", (part, whole, expected) => expect(percentText(texts, part, whole)).toBe(expected));

it("percents have the decimal sign of the language", () => {
  const portuguese = dashboardTexts("pt-BR");
  expect(percentText(portuguese, 4, 6)).toBe("66,7%");
  expect(changeText(portuguese, "1125", "1000")).toBe("12,5% a mais que antes");
});
