// Cases of every field with values of a wrong type, or without one.
import { BODIES, bodyCase, changed } from "../bodies";
import { FIELDS, type Operation } from "../oracle";
import type { BadInput } from "../table";

/** Each field of a body gets each of these, except those that the contract allows. */
const KINDS: readonly (readonly [string, unknown])[] = [
  ["is missing", undefined],
  ["is null", null],
  ["is true", true],
  ["is false", false],
  ["is zero", 0],
  ["is a number", 1050],
  ["is a number beyond 64 bits", 1e21],
  ["is a negative number", -1],
  ["is a number with a fraction", 1.5],
  ["is an empty list", []],
  ["is a list of one text", ["BRL"]],
  ["is an empty object", {}],
  ["is an object", { value: "1050", amount: 1 }],
  ["is an empty text", ""],
  ["is a space", " "],
  ["is a text of 20,000 characters", "{{repeat:20000:A}}"],
];

/** `id` and `outcome` are looked up, so text values are not judged here. */
function isJudgedByLookup(operation: Operation, value: unknown): boolean {
  return operation === "simulate" && typeof value === "string";
}

export function fieldKindCases(): BadInput[] {
  const operations = Object.keys(FIELDS) as Operation[];
  const fields = operations.flatMap((operation) =>
    FIELDS[operation].flatMap(({ path }) =>
      KINDS.filter(([, value]) => !isJudgedByLookup(operation, value)).map(([kind, value]) =>
        bodyCase(`${operation}: ${path} ${kind}`, operation, changed(BODIES[operation], path, value)),
      ),
    ),
  );
  const tops: readonly (readonly [string, string])[] = [
    ["null", "null"],
    ["true", "true"],
    ["a number", "1050"],
    ["a text", '"BRL"'],
    ["an empty text", '""'],
    ["an empty list", "[]"],
    ["a list of objects", "[{}]"],
  ];
  const bodies = operations.flatMap((operation) =>
    tops.flatMap(([what, text]): BadInput[] => {
      const made = bodyCase(`${operation}: the body is ${what}`, operation, [JSON.parse(text)]);
      return made ? [{ ...made, body: text, expect: { ...made.expect, field: "body" } }] : [];
    }),
  );
  return [...fields.filter((one) => one !== null), ...bodies];
}
