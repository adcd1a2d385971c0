// XML that the writer makes has the text in it and nothing else: no markup, no character that XML forbids.
import fc from "fast-check";
import { expect, it } from "vitest";
import { cut, element, escapeXml, leaf } from "./xml";

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** What a reader of XML makes of escaped text. */
function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
    code ? String.fromCodePoint(Number(code)) : (NAMED[name] ?? "?"),
  );
}

/** The characters of XML 1.0, and some that it forbids. */
const character = fc.oneof(
  fc.constantFrom(..."&<>\"';]/\t\n\r \u0000\u0008\u000b\u001f\ufffe\uffff\ud800\udc00é漢😀".split("")),
  fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
);
const ALLOWED = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

it("every text is read back as it was, with U+FFFD for what XML forbids", () => {
  const property = fc.property(fc.array(character), (characters) => {
    const text = characters.join("");
    const escaped = escapeXml(text);
    expect(escaped).not.toMatch(/[<>"\t\n\r]|&(?!#\d+;|amp;|lt;|gt;|quot;)/);
    const back = unescapeXml(escaped);
    expect(back).toMatch(ALLOWED);
    const expected = [...text].map((one) => (ALLOWED.test(one) && one.isWellFormed() ? one : "\ufffd"));
    expect([...back]).toEqual(expected);
  });
  fc.assert(property, { numRuns: 2_000 });
});

it("an element without content is left out, and attributes are escaped", () => {
  expect(leaf("Nm", "")).toBeNull();
  expect(leaf("Nm", null)).toBeNull();
  expect(element("Pty", leaf("Nm", ""), null)).toBeNull();
  expect(leaf("Amt", "1", { Ccy: 'B"R<' })?.markup).toBe('<Amt Ccy="B&quot;R&lt;">1</Amt>');
  expect(element("A", element("B", leaf("C", "a&b")), leaf("D", "1"))?.markup).toBe(
    "<A><B><C>a&amp;b</C></B><D>1</D></A>",
  );
});

it("a text is cut between characters, as schemas count them", () => {
  expect(cut("😀😀😀", 2)).toBe("😀😀");
  expect(cut("abc", 5)).toBe("abc");
});
