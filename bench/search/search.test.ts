import { expect, it } from "vitest";
import { isSearchMet, type SearchResults, searchGoals, searchMarkdown } from "./report";

const results = (changes: Partial<SearchResults> = {}): SearchResults => ({
  payments: [100_000, 10_000_000],
  createdPayments: 1_000,
  pages: { "a reference": [10, 12] },
  ms: { "a reference": [4, 5] },
  cpu: { create: 1, link: 0.1, fill: 0.03 },
  bytes: { table: 1_048_576, key: 2_097_152 },
  ...changes,
});

it("what reads more, takes longer or costs creates too much misses its goal", () => {
  expect(isSearchMet(results())).toBe(true);
  const missed = (changes: Partial<SearchResults>) =>
    searchGoals(results(changes))
      .filter(({ value, most }) => !(value <= most))
      .map(({ goal }) => goal);
  expect(missed({ pages: { "a reference": [10, 21] } })).toEqual(["pages: a reference"]);
  expect(missed({ ms: { "a reference": [4, 8.1] } })).toEqual(["time: a reference"]);
  expect(missed({ cpu: { create: 1, link: 0, fill: 0.031 } })).toEqual(["CPU that creates lose to the filling"]);
  expect(missed({ cpu: { create: Number.NaN, link: 0, fill: 0 } })).toEqual(["CPU that creates lose to the filling"]);
});

it("the report shows pages, times and the CPU of a payment", () => {
  const around = { at: "now", machine: {}, versions: {}, postgres: {}, rowsAtTheEnd: {} };
  const report = searchMarkdown(around, results());
  expect(report).toContain("# Search over 10,000,000 payments");
  expect(report).toContain("| a reference | 10 | 12 |");
  expect(report).toContain("| a reference | 4.00 | 5.00 |");
  expect(report).toContain("| fill its terms (worker) | 30 |");
});
