import { expect, it } from "vitest";
import { createNeedles, type Form } from "./needles";

const NUMBER = "73319582640915528846";
const SECRET = "whsec_Zm9vYmFyYmF6cXV4Zm9v/+8";

const needles = createNeedles();
needles.add("number", NUMBER);
needles.add("secret", SECRET);

function hitsIn(text: string, pieceLength = 1 << 20): string[] {
  const hits: string[] = [];
  const search = needles.search(({ name, form }) => hits.push(`${name} ${form}`));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceLength) search(bytes.subarray(at, at + pieceLength));
  return hits;
}

const encoded = (text: string): readonly (readonly [Form, string])[] => [
  ["plain", text],
  ["hex", Buffer.from(text).toString("hex")],
  ["hex", Buffer.from(text).toString("hex").toUpperCase()],
  ["base64", Buffer.from(text).toString("base64")],
  ["base64", Buffer.from(text).toString("base64url")],
];

it("finds each form, wherever the secret begins in the encoded text, and in pieces of any length", () => {
  for (const [name, secret] of [
    ["number", NUMBER],
    ["secret", SECRET],
  ] as const)
    for (const before of ["", "a", "ab", "abc", '{"account_number":"'])
      for (const [form, text] of encoded(`${before}${secret}" and more`))
        for (const length of [1, 7, 64])
          expect(hitsIn(`some text ${text} some more`, length), `${form} after "${before}"`).toEqual([
            `${name} ${form}`,
          ]);
});

it("finds a number within other digits, and without its last four", () => {
  expect(hitsIn(`999${NUMBER}111`)).toEqual(["number plain"]);
  expect(hitsIn(NUMBER.slice(0, 16))).toEqual(["number plain"]);
});

it("finds nothing in what is allowed, and in random text", () => {
  expect(hitsIn(`…${NUMBER.slice(-4)} ${NUMBER.slice(1)} ${NUMBER.slice(0, 15)} ${SECRET.slice(2)}`)).toEqual([]);
  let digits = "";
  for (let n = 0; digits.length < 1_000_000; n += 1) digits += String(n * 7_919);
  expect(hitsIn(digits)).toEqual([]);
});

it("rejects a text that is too short to be a secret", () => {
  expect(() => createNeedles().add("short", "123456789012345")).toThrow(RangeError);
});
