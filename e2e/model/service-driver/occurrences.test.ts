// Tests in which orders the service can have processed overlapping occurrences.
import { beforeEach, expect, it } from "vitest";
import type { Oracle } from "../oracle/oracle";
import { type Occurrence, Occurrences, orders } from "./occurrences";

let occurrences: Occurrences;
let taken: string[];
beforeEach(() => {
  occurrences = new Occurrences();
  taken = [];
});
const note = (name: string) => () => {
  taken.push(name);
};

/** Every order, as the names in it. */
function names(all: readonly Occurrence[]): string[] {
  return orders(all).map((order) => {
    taken = [];
    for (const one of order) one.apply({} as Oracle);
    return taken.join(" ");
  });
}

it("preserves the order across a rest", () => {
  for (const name of ["a", "b", "c"]) {
    occurrences.callback(note(name));
    occurrences.rest();
  }
  expect(names(occurrences.all)).toEqual(["a b c"]);
});

it("allows overlapping callbacks in every order, the order of sending first", () => {
  for (const name of ["a", "b", "c"]) occurrences.callback(note(name));
  occurrences.rest();
  const found = names(occurrences.all);
  expect(found[0]).toBe("a b c");
  expect(new Set(found).size).toBe(6);
});

it("processes answers in the order of their calls, before or after a callback that overlaps them", () => {
  occurrences.callback(note("callback"));
  for (const name of ["query", "creation"]) {
    occurrences.answer(note(name));
  }
  occurrences.rest();
  expect(names(occurrences.all).toSorted()).toEqual([
    "callback query creation",
    "query callback creation",
    "query creation callback",
  ]);
});

it("an act of the merchant takes effect immediately", () => {
  occurrences.act(note("approve"));
  occurrences.callback(note("callback"));
  occurrences.act(note("cancel"));
  occurrences.rest();
  expect(names(occurrences.all).toSorted()).toEqual(["approve callback cancel", "approve cancel callback"]);
});
