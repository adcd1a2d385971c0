import { describe, expect, it } from "vitest";
import { fieldAmount } from "./field-amount";
import { formatAmount } from "./format-amount";
import { plainAmount } from "./plain-amount";

describe("amounts for people", () => {
  it.each([
    ["1", "BRL", "0.01"],
    ["100", "BRL", "1.00"],
    ["123456", "BRL", "1,234.56"],
    ["123456789012345", "BRL", "1,234,567,890,123.45"],
    ["1500", "JPY", "1,500"],
    ["7", "KWD", "0.007"],
    ["1234567", "KWD", "1,234.567"],
    ["123456789012345678901234567890", "USDT", "123,456,789,012,345,678,901,234.567890"],
  ])("%s of %s reads %s: no digit is lost, whatever the length", (minorUnits, currency, expected) => {
    expect(formatAmount({ language: "en" }, minorUnits, currency)).toBe(expected);
  });

  it("omits the separators from the copied text", () => {
    expect(plainAmount("123456", "BRL")).toBe("1234.56");
  });

  it("have a comma before the decimals in Portuguese, and a point in Spanish", () => {
    const language = "pt-BR";
    expect(formatAmount({ language }, "123456", "BRL")).toBe("1.234,56");
    expect(formatAmount({ language }, "1500", "JPY")).toBe("1.500");
    expect(formatAmount({ language }, "1234567", "KWD")).toBe("1.234,567");
    expect(fieldAmount({ language }, "123456", "BRL")).toBe("1234,56");
    expect(formatAmount({ language: "es" }, "123456", "MXN")).toBe("1,234.56");
  });
});
