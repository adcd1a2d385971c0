// Tests that ambiguous JSON is rejected and merely unusual JSON is accepted.
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "./strict-json";

const parse = (text: string) => parseStrictJson(Buffer.from(text));
const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

function complaint(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "something else";
  }
  return "none";
}

const REPEATED = "ServiceError: body must not repeat a key within an object";
const DEEP = "ServiceError: body must not nest deeper than 16 levels";
const STRINGS = "ServiceError: body must not contain NUL or lone surrogates in any string";
const JSON_ONLY = "ServiceError: body must be valid JSON";
const UTF8 = "ServiceError: body must be valid UTF-8";

describe("a repeated key", () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":3}',
    '{"x":{"a":1,"a":2}}',
    '[{"x":[{"a":1,"a":2}]}]',
    '{"a":1,"\\u0061":2}',
    '{"\\u0061":1,"a":2}',
    '{"\\/":1,"/":2}',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"\\ud83d\\udc8e":1,"\u{1F48E}":2}',
    '{"a" \n\t\r :1,"a":2}',
    '{"a":{"b":[]},"c":"a","a":{}}',
    '{"a\\"":1,"a\\u0022":2}',
  ])("is rejected in %s", (text) => {
    expect(complaint(() => parse(text))).toBe(REPEATED);
  });

  it.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"a","b":"a"}',
    '{"a":["a","a","a"]}',
    '{"a":1,"A":2}',
    '{"e\u0301":1,"\u00e9":2}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":":","b":"\\":"}',
    '{"a\\\\":1,"a":2}',
  ])("is not reported without one: %s", (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

describe("nesting", () => {
  const arrays = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

  it("is accepted up to 16 levels, of arrays, objects or both", () => {
    for (const text of [arrays(16), objects(16), `{"a":${arrays(15)}}`]) expect(parse(text)).toEqual(JSON.parse(text));
    expect(parse(`[${`${arrays(15)},`.repeat(50)}1]`)).toHaveLength(51);
  });

  it("is rejected at 17 and at any depth that fits a body", () => {
    for (const text of [arrays(17), objects(17), `{"a":${arrays(16)}}`, arrays(32_000)]) {
      expect(complaint(() => parse(text))).toBe(DEEP);
    }
  });

  it("is not counted inside strings", () => {
    expect(parse(`{"a":"${"[".repeat(100)}"}`)).toEqual({ a: "[".repeat(100) });
  });
});

describe("text that no database can store", () => {
  it.each([
    '{"a":"\\u0000"}',
    '{"\\u0000":1}',
    '["\\ud800"]',
    '["\\udc00"]',
    '["\\udc8e\\ud83d"]',
    '["\\ud83dx"]',
    '{"a":{"b":["x","\\uDBFF"]}}',
  ])("is rejected: %s", (text) => {
    expect(complaint(() => parse(text))).toBe(STRINGS);
  });

  it("is rejected as raw bytes too", () => {
    expect(complaint(() => parseStrictJson(bytes('{"a":"', [0], '"}')))).toBe(JSON_ONLY);
    expect(complaint(() => parseStrictJson(bytes('{"a":"', [0xed, 0xa0, 0x80], '"}')))).toBe(UTF8);
  });

  it("does not include surrogate pairs or an escaped backslash before u0000", () => {
    expect(parse('["\\ud83d\\udc8e","\\\\u0000"]')).toEqual(["\u{1F48E}", "\\u0000"]);
  });
});

describe("bytes", () => {
  it.each([
    ["a stray continuation byte", [0x80]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["a cut sequence", [0xe2, 0x82]],
    ["a code point beyond the last", [0xf4, 0x90, 0x80, 0x80]],
    ["Latin-1", [0xe9]],
  ])("that are not UTF-8 are rejected: %s", (_what, wrong) => {
    expect(complaint(() => parseStrictJson(bytes('{"a":"', wrong, '"}')))).toBe(UTF8);
  });

  it("of another encoding and a byte order mark are rejected", () => {
    expect(complaint(() => parseStrictJson(Buffer.from('\ufeff{"a":1}', "utf16le")))).not.toBe("none");
    expect(complaint(() => parseStrictJson(bytes([0xef, 0xbb, 0xbf], '{"a":1}')))).toBe(JSON_ONLY);
  });
});

it.each([
  "",
  " ",
  "{",
  "{'a':1}",
  "{a:1}",
  '{"a":1,}',
  "[1,]",
  "01",
  "+1",
  "NaN",
  "undefined",
  '{"a":1}{"b":2}',
  "//x\n1",
  '"\t"',
])("invalid JSON is rejected: %j", (text) => {
  expect(complaint(() => parse(text))).toBe(JSON_ONLY);
});

it("a __proto__ key remains an own key and pollutes nothing", () => {
  const value = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object;
  expect(Object.hasOwn(value, "__proto__")).toBe(true);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect("polluted" in {}).toBe(false);
});

it("accepts a string and as many keys as fill a whole body", () => {
  const long = JSON.stringify({ a: "x\\".repeat(20_000) });
  expect(parse(long)).toEqual(JSON.parse(long));
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, n) => [`k${n}`, n])));
  expect(parse(many)).toEqual(JSON.parse(many));
});
