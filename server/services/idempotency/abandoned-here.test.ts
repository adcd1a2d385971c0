// The memory of abandoned executions is exact and bounded.
import { expect, it } from "vitest";
import { noteAbandoned, wasAbandonedHere } from "./abandoned-here";

it("finds an execution that ended without an answer, and no other", () => {
  noteAbandoned("one");
  expect(wasAbandonedHere("one")).toBe(true);
  expect(wasAbandonedHere("other")).toBe(false);
});

it("retains the latest ten thousand and drops the oldest", () => {
  for (let n = 0; n < 10_001; n += 1) noteAbandoned(`n${n}`);
  expect(wasAbandonedHere("n0")).toBe(false);
  expect(wasAbandonedHere("n1")).toBe(true);
});
