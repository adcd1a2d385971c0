// The catalogues say the same in every language.
import { describe, expect, it } from "vitest";
import { PAYER_LANGUAGES } from "@/server/contract/languages";
import { CATALOGUES, payerTexts } from "./texts";

type Tree = { readonly [key: string]: string | Tree };

/** Every text with its key: "payer.field.status". */
function textsOf(tree: Tree, path = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : textsOf(value, `${path}${key}.`),
  );
}

const english = new Map(textsOf(CATALOGUES.en));
const placeholders = (text: string | undefined) => (text?.match(/\{\w+\}/g) ?? []).sort();

/** Words that are the same in both languages. */
const SAME: Readonly<Record<string, readonly string[]>> = { id: ["payer.field.bank", "payer.field.status"] };

describe.each(PAYER_LANGUAGES.filter((language) => language !== "en"))("%s", (language) => {
  const texts = new Map(textsOf(CATALOGUES[language]));

  it("has every text, with the same values to fill in, and no other", () => {
    expect([...texts.keys()]).toEqual([...english.keys()]);
    for (const [key, text] of texts) {
      expect(placeholders(text), key).toEqual(placeholders(english.get(key)));
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toBe("");
    }
  });

  it("has nothing left in English", () => {
    const same = [...texts].filter(([key, text]) => text === english.get(key)).map(([key]) => key);
    expect(same.sort()).toEqual(SAME[language] ?? []);
  });
});

it("a hole in a catalogue throws", () => {
  const texts = payerTexts("en") as (key: string) => string;
  expect(() => texts("no.such.text")).toThrow("MISSING_MESSAGE");
});

it("a name cannot add markup or values", () => {
  const texts = payerTexts("en");
  expect(texts("heading", { merchant: "{amount} <b>O'Neill</b> '{'" })).toBe("Payment to {amount} <b>O'Neill</b> '{'");
});

it("names in Arabic sentences keep their direction, with the punctuation that they end with", () => {
  const named = textsOf(CATALOGUES.ar).filter(([, text]) => /\{(?:merchant|method)\}/.test(text));
  expect(named.length).toBeGreaterThan(5);
  for (const [key, text] of named) expect(text, key).toMatch(/\u2068\{(?:merchant|method)\}\u2069/);
});
