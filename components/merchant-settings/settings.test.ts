import { expect, it } from "vitest";
import { percentText } from "./settings";

it.each([
  [0, "0 %"],
  [5, "0.05 %"],
  [50, "0.5 %"],
  [75, "0.75 %"],
  [100, "1 %"],
  [1_000, "10 %"],
  [10_000, "100 %"],
])("%i basis points are %s", (basisPoints, text) => {
  expect(percentText({ language: "en" }, basisPoints)).toBe(text);
  expect(percentText({ language: "pt-BR" }, basisPoints)).toBe(text.replace(".", ","));
});
