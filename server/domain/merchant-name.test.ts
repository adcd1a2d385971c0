import { describe, expect, it } from "vitest";
import { MERCHANT_NAME_RULE, readMerchantName } from "./merchant-name";

describe("a merchant's name", () => {
  it.each([
    ["Padaria Estrela Ltda.", "Padaria Estrela Ltda."],
    ["  Café &  Co., S.A. de C.V. (México) ", "Café & Co., S.A. de C.V. (México)"],
    ["株式会社 例", "株式会社 例"],
    ["x".repeat(100), "x".repeat(100)],
  ])("may be %j", (typed, name) => {
    expect(readMerchantName(typed)).toBe(name);
  });

  it.each([
    ["empty", " "],
    ["a line break", "Padaria\nEstrela"],
    ["a line separator", "Padaria\u2028Estrela"],
    ["right-to-left override", "Padaria \u202Eknab"],
    ["zero-width space", "Padaria\u200BEstrela"],
    ["the Hangul filler", "\u3164"],
    ["half a character", "Padaria\uD800"],
    ["101 characters", "x".repeat(101)],
  ])("may not be or contain %s", (_what, typed) => {
    expect(readMerchantName(typed)).toBeNull();
  });
});

it("the text of the rule for merchants' names has its limits", () => {
  expect(MERCHANT_NAME_RULE).toBe("must have 1 to 100 visible characters");
});
