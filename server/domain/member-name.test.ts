import { describe, expect, it } from "vitest";
import { LONGEST_NAME, NAME_RULE, readName } from "./member-name";

describe("a member's name", () => {
  it.each([
    ["Ana Souza", "Ana Souza"],
    ["  João   da  Silva ", "João da Silva"],
    ["O’Neil-Núñez Jr.", "O’Neil-Núñez Jr."],
    ["山田 太郎", "山田 太郎"],
    ["นางสาว สมศรี", "นางสาว สมศรี"],
    ["Nguyễn Thị Ánh", "Nguyễn Thị Ánh"],
    ["محمد علي", "محمد علي"],
    ["Joa\u0303o", "João"],
    ["Ａｎａ", "Ana"],
    ["x".repeat(LONGEST_NAME), "x".repeat(LONGEST_NAME)],
  ])("may be %j", (typed, name) => {
    expect(readName(typed)).toBe(name);
  });

  it.each([
    ["empty", ""],
    ["spaces", "   "],
    ["a line break", "Ana\nSouza"],
    ["a tab", "Ana\tSouza"],
    ["a null character", "Ana\u0000"],
    ["right-to-left override", "Ana \u202Eazuos"],
    ["isolates", "\u2066Ana\u2069"],
    ["zero-width space", "A\u200Bna"],
    ["zero-width joiner", "A\u200Dna"],
    ["soft hyphen", "A\u00ADna"],
    ["a byte order mark", "\uFEFFAna\uFEFFx"],
    ["the Hangul filler", "Ana\u3164"],
    ["a variation selector", "Ana\uFE0F"],
    ["a grapheme joiner", "An\u034Fa"],
    ["a tag character", "Ana\u{E0061}"],
    ["half a character", "Ana\uD800"],
    ["an address", "cfo@shop.example"],
    ["a full-width at sign", "cfo＠shop.example"],
    ["brackets around another address", "Ana (cfo at shop)"],
    ["brackets that normalization makes", "Ana ⑴"],
    ["several people", "Ana, Paula"],
    ["markup", "<b>Ana</b>"],
    ["a formula", "=Ana"],
    ["a combining mark first", "\u0301Ana"],
    ["a tower of marks", `A${"\u030D".repeat(5)}na`],
    ["65 characters", "x".repeat(LONGEST_NAME + 1)],
    ["emoji", "Ana 🙂"],
  ])("may not contain %s", (_what, typed) => {
    expect(readName(typed)).toBeNull();
  });
});

it("the text of the rule for names has its limit", () => {
  const rule = "must have at most 64 letters, digits, spaces and . ' - characters, and begin with a letter or digit";
  expect([NAME_RULE, LONGEST_NAME]).toEqual([rule, 64]);
});
