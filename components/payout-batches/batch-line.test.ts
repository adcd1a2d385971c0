import { expect, it } from "vitest";
import { sumsText } from "./batch-line";

it("sums are by currency, exact, and never added across currencies", () => {
  const lines = [
    { currency: "BRL", amount: "125050" },
    { currency: "JPY", amount: "90" },
    { currency: "BRL", amount: "1" },
  ];
  expect(sumsText(lines)).toBe("1,250.51 BRL, 90 JPY");
});
