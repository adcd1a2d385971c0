// Owns the proof of reading query strings.
import { describe, expect, it } from "vitest";
import { ignoredHeader, parseQuery } from "./query";

const KNOWN = new Set(["status", "country", "created_after", "merchant_reference"]);
const parse = (search: string) => parseQuery(new URL(`http://localhost/v1/payout_intents${search}`), KNOWN);

describe("a list of statuses", () => {
  it("reads the same in each of its spellings", () => {
    const spellings = [
      "?status=a,b",
      "?status=a&status=b",
      "?status[]=a&status[]=b",
      "?status%5B%5D=a%2Cb",
      "?status=a&status[]=b",
    ];
    for (const search of spellings) expect(parse(search)).toEqual({ values: { status: ["a", "b"] }, ignored: [] });
  });

  it("keeps an empty entry, so that it is refused instead of overlooked", () => {
    expect(parse("?status=").values).toEqual({ status: [""] });
    expect(parse("?status=a,").values).toEqual({ status: ["a", ""] });
  });
});

describe("a single parameter", () => {
  it("may not be repeated, not even with an equal value", () => {
    expect(() => parse("?country=BR&country=BR")).toThrow("country must not be repeated");
    expect(() => parse("?country=BR&country=MX")).toThrow("country must not be repeated");
    expect(() => parse("?country=&country=")).toThrow("country must not be repeated");
  });

  it("keeps commas, brackets and spaces as they are", () => {
    expect(parse("?merchant_reference=a,b%5B%5D+c").values).toEqual({ merchant_reference: "a,b[] c" });
    expect(parse("?created_after=2026-11-21T09:30:00+08:00").values).toEqual({
      created_after: "2026-11-21T09:30:00 08:00",
    });
  });

  it("with brackets is not that parameter", () => {
    expect(parse("?country[]=BR")).toEqual({ values: {}, ignored: ["country[]"] });
  });
});

describe("broken encoding", () => {
  it.each(["?country=%ff", "?country=%zz", "?country=%", "?%c0%af=1", "?x=%ed%a0%80"])("%s is refused", (search) => {
    expect(() => parse(search)).toThrow("query must be percent-encoded UTF-8");
  });
});

describe("unknown parameters", () => {
  it("are without effect and named once each, however often they come", () => {
    expect(parse("?b=1&environment=live&b=2&country=BR")).toEqual({
      values: { country: "BR" },
      ignored: ["b", "environment"],
    });
  });

  it("named like members of every object are unknown too", () => {
    const { values, ignored } = parse("?__proto__=x&constructor=y&toString=z&hasOwnProperty=w");
    expect(Object.keys(values)).toEqual([]);
    expect(ignored).toEqual(["__proto__", "constructor", "toString", "hasOwnProperty"]);
    expect("x" in {}).toBe(false);
  });

  it("cannot forge a header, whatever their names hold", () => {
    const names = ["a\r\nset-cookie: x=1", "a, b", "\u0000", "\u00e9\u{1F48E}", "\ud800", '";=', " "];
    const header = ignoredHeader(names);
    expect(header).toMatch(/^[\x21-\x7e]+(, [\x21-\x7e]+)*$/);
    expect(header.split(", ")).toHaveLength(names.length);
    expect(() => new Headers({ "ignored-parameters": header })).not.toThrow();
  });

  it("do not make a header of any length: ten names, each cut at 64 characters, never within a pair", () => {
    const header = ignoredHeader(Array.from({ length: 500 }, (_, n) => `${n}${"\u{1F48E}".repeat(100)}`));
    expect(header.split(", ")).toHaveLength(10);
    expect(header.length).toBeLessThan(4_096);
    for (const name of header.split(", ")) expect(decodeURIComponent(name).length).toBeLessThanOrEqual(64);
  });
});
