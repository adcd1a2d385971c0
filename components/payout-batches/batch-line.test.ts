import { expect, it } from "vitest";
import { dashboardTexts } from "../i18n/catalogues";
import { sumsText } from "./batch-line";

const texts = dashboardTexts("en");

it("sums are by currency, exact, and never added across currencies", () => {
  const lines = [
    { currency: "BRL", amount: "125050" },
    { currency: "JPY", amount: "90" },
    { currency: "BRL", amount: "1" },
  ];
  expect(sumsText(texts, lines)).toBe("1,250.51 BRL, 90 JPY");
});
