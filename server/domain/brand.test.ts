// Tests which colors a merchant may choose for the payer's page, and the texts of the rules.
import { expect, it } from "vitest";
import { COLOR_RULE, LOGO_RULE, readColor } from "./brand";

it.each([
  ["#1b7f5c", "#1b7f5c"],
  ["#1B7F5C", "#1b7f5c"],
  ["  #ABCDEF\n", "#abcdef"],
])("%j is the color %s", (typed, color) => {
  expect(readColor(typed)).toBe(color);
});

it.each(["", "1b7f5c", "#1b7f5", "#1b7f5c0", "#1b7f5g", "x#1b7f5c", "#1b7f5c;", "#fff", "red"])(
  "%j is no color",
  (typed) => {
    expect(readColor(typed)).toBeNull();
  },
);

it("the texts of the rules name their limits", () => {
  expect(COLOR_RULE).toBe("must be # and six hexadecimal digits, such as #1b7f5c");
  expect(LOGO_RULE).toBe("must be a PNG picture of at most 40 kB and 1024 × 1024 pixels");
});
