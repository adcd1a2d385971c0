// Tests that spreadsheets read exported cells as text.
import fc from "fast-check";
import { expect, it } from "vitest";
import { safeText } from "./cells";

it.each([
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t'=1"],
  ["\r=1", "'\r'=1"],
  ["\ntext", "'\ntext"],
  ["＝1", "'＝1"],
  [' "=1', "' \"=1"],
  ["a;=HYPERLINK(B1);b", "a;'=HYPERLINK(B1);b"],
  ["order=1", "order=1"],
  ["", ""],
  [null, ""],
])("%j is exported as %j", (text, expected) => expect(safeText(text)).toBe(expected));

it("no cell begins with a formula, at whichever separator a spreadsheet splits the file", () => {
  const pieces = fc.constantFrom(...Array.from("=+-@＝＋－＠;|\t\r\n\"' a1,"));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (characters) => {
      const text = characters.join("");
      const safe = safeText(text);
      for (const cell of safe.split(/[;|\t\r\n]/)) expect(cell).not.toMatch(/^[ "]*[=+\-@＝＋－＠]/);
      expect(safe.replaceAll("'", "")).toBe(text.replaceAll("'", ""));
    }),
    { numRuns: 5_000 },
  );
});
