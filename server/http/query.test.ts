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

  it("preserves an empty entry, so that it is rejected instead of ignored", () => {
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

  it("preserves commas, brackets and spaces", () => {
    expect(parse("?merchant_reference=a,b%5B%5D+c").values).toEqual({ merchant_reference: "a,b[] c" });
    expect(parse("?created_after=2026-11-21T09:30:00+08:00").values).toEqual({
      created_after: "2026-11-21T09:30:00 08:00",
    });
  });

  it("with brackets is another parameter", () => {
    expect(parse("?country[]=BR")).toEqual({ values: {}, ignored: ["country[]"] });
  });
});

describe("broken encoding", () => {
  it.each(["?country=%ff", "?country=%zz", "?country=%", "?%c0%af=1", "?x=%ed%a0%80"])("%s is rejected", (search) => {
    expect(() => parse(search)).toThrow("query must be percent-encoded UTF-8");
  });
});

describe("unknown parameters", () => {
  it("have no effect and are each named once, however often they occur", () => {
    expect(parse("?b=1&environment=live&b=2&country=BR")).toEqual({
      values: { country: "BR" },
      ignored: ["b", "environment"],
    });
  });

  it("with the names of Object.prototype's members are unknown too", () => {
    const { values, ignored } = parse("?__proto__=x&constructor=y&toString=z&hasOwnProperty=w");
    expect(Object.keys(values)).toEqual([]);
    expect(ignored).toEqual(["__proto__", "constructor", "toString", "hasOwnProperty"]);
    expect("x" in {}).toBe(false);
  });

  it("cannot inject a header, whatever their names contain", () => {
    const names = ["a\r\nset-cookie: x=1", "a, b", "\u0000", "\u00e9\u{1F48E}", "\ud800", '";=', " "];
    const header = ignoredHeader(names);
    expect(header).toMatch(/^[\x21-\x7e]+(, [\x21-\x7e]+)*$/);
    expect(header.split(", ")).toHaveLength(names.length);
    expect(() => new Headers({ "ignored-parameters": header })).not.toThrow();
  });

  it("never make the header too long: ten names, each cut at 64 characters, never within a surrogate pair", () => {
    const header = ignoredHeader(Array.from({ length: 500 }, (_, n) => `${n}${"\u{1F48E}".repeat(100)}`));
    expect(header.split(", ")).toHaveLength(10);
    expect(header.length).toBeLessThan(4_096);
    for (const name of header.split(", ")) expect(decodeURIComponent(name).length).toBeLessThanOrEqual(64);
  });
});
