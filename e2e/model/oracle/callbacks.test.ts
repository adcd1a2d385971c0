// Tests that each flawed callback requires exactly one exception, and no other callback requires any.
import { expect, it } from "vitest";
import { callbackViolations } from "./callbacks";

const none = new Map<string, number>();

it("accepts exactly the exceptions that flawed callbacks require", () => {
  expect(callbackViolations(none, none)).toEqual([]);
  expect(callbackViolations(new Map([["ref_1", 2]]), new Map([["ref_1", 2]]))).toEqual([]);
});

it("names missing and excess exceptions", () => {
  const violations = callbackViolations(new Map([["ref_1", 1]]), new Map([["ref_2", 1]]));
  expect(violations).toEqual([
    "unapplied_callback exceptions about ref_1 should be 1, are 0",
    "unapplied_callback exceptions about ref_2 should be 0, are 1",
  ]);
});
