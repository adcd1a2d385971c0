// Tests that every reason of a booking has words, in each language of the dashboard.
import { expect, it } from "vitest";
import { DASHBOARD_LANGUAGES } from "./dashboard-languages";
import { LEDGER_REASONS } from "./ledger";
import { movementWords } from "./movement-words";

it.each(DASHBOARD_LANGUAGES)("each reason has words of its own, in %s", (language) => {
  const words = LEDGER_REASONS.map((reason) => movementWords(reason, language));
  for (const text of words) expect(text).toMatch(/^\p{Lu}[^_]{4,}$/u);
  expect(new Set(words).size).toBe(LEDGER_REASONS.length);
});

it("they are English unless another language is asked for", () => {
  expect(movementWords("payout_hold")).toBe("Set aside for a payout");
  expect(movementWords("payout_hold", "es")).not.toBe(movementWords("payout_hold"));
});

it.each([
  ["reason_of_tomorrow", "reason of tomorrow"],
  ["toString", "toString"],
])("a reason of a later release is shown by its name: %s", (reason, words) => {
  expect(movementWords(reason)).toBe(words);
});
