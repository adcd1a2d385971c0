// The memory of answered keys is exact and bounded.
import { expect, it } from "vitest";
import { noteAnswered, wasAnsweredHere } from "./answered-here";

const named = (key: string, apiKeyId = "key_1", merchantId = "mer_1") => ({
  scope: { merchantId, environment: "test" as const },
  apiKeyId,
  key,
});

it("finds an answered key, but not the same text of another merchant or API key", () => {
  noteAnswered(named("a"));
  expect(wasAnsweredHere(named("a"))).toBe(true);
  for (const other of [named("b"), named("a", "key_2"), named("a", "key_1", "mer_2")]) {
    expect(wasAnsweredHere(other)).toBe(false);
  }
});

it("retains the latest ten thousand and drops the oldest", () => {
  noteAnswered(named("first"));
  for (let n = 0; n < 25_000; n += 1) noteAnswered(named(`n${n}`));
  expect(wasAnsweredHere(named("first"))).toBe(false);
  expect(wasAnsweredHere(named("n15000"))).toBe(true);
  expect(wasAnsweredHere(named("n24999"))).toBe(true);
});
