import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "./canonical-json";

const canonicalOf = (text: string) => canonicalJson(JSON.parse(text));

it.each([
  ['{"b":1,"a":2}', '{ "a" : 2,\n"b":1 }'],
  ['{"a":{"d":[1,{"f":1,"e":2}],"c":null}}', '{"a":{"c":null,"d":[1,{"e":2,"f":1}]}}'],
  ['{"a":1.0}', '{"a":1}'],
  ['{"\\u0061":"\\u0062"}', '{"a":"b"}'],
  ['{"10":1,"9":2,"a":3}', '{"a":3,"9":2,"10":1}'],
])("%s and %s are one request", (left, right) => {
  expect(canonicalOf(left)).toBe(canonicalOf(right));
});

it.each([
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":null}', "{}"],
  ['{"a":{}}', '{"a":[]}'],
  ['{"a":""}', '{"a":null}'],
  ['{"a":true}', '{"a":"true"}'],
  ['{"a":"b","c":"d"}', '{"a":"b\\",\\"c\\":\\"d"}'],
  ['{"a":"\u00e9"}', '{"a":"e\u0301"}'],
  ['{"__proto__":{"a":1}}', "{}"],
  ["[]", "{}"],
])("%s and %s are two requests", (left, right) => {
  expect(canonicalOf(left)).not.toBe(canonicalOf(right));
});

/** Returns the same value with the members of every object reversed. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

it("is JSON of the value, independent of the order of keys", () => {
  const property = fc.property(fc.jsonValue(), (value) => {
    const text = canonicalJson(value);
    expect(canonicalJson(JSON.parse(text))).toBe(text);
    expect(canonicalJson(reversed(value))).toBe(text);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
  });
  fc.assert(property, { numRuns: 500 });
});
