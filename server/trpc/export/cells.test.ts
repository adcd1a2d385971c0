// Tests that spreadsheets read exported cells as text.
import { expect, it } from "vitest";
import { safeText } from "./cells";

it.each([
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", "'\r=1"],
  ["order=1", "order=1"],
  ["", ""],
  [null, ""],
])("%j is exported as %j", (text, expected) => expect(safeText(text)).toBe(expected));
