// The report of the search over many payments, compared with the same over few.
import { areMet, type Bound, boundLines, boundsTable } from "../bounds";
import type { Surroundings } from "../surroundings";
import { listed, table, whole } from "../text";

/** A value over few payments, and the same over many. */
export type Pair = readonly [few: number, many: number];

export interface SearchResults {
  /** Payments of the two merchants. */
  readonly payments: Pair;
  readonly createdPayments: number;
  /** Pages that a statement touches, by what was typed. */
  readonly pages: Readonly<Record<string, Pair>>;
  /** Milliseconds of a whole search, with the rows that it shows, by what was typed. */
  readonly ms: Readonly<Record<string, Pair>>;
  /** CPU seconds of all processes, without the load generator. */
  readonly cpu: { readonly create: number; readonly link: number; readonly fill: number };
  /** Of the search table and of its key. */
  readonly bytes: { readonly table: number; readonly key: number };
}

/** A B-tree of a hundred times the rows is one or two levels deeper, and a statement descends it a few times. */
const MOST_PAGES = 2;
const MOST_TIME = 2;
/** Of the CPU time of payments, their creation and all that follows it. */
const MOST_OF_CREATES = 0.03;
const MIB = 1_048_576;

/** Every goal with what was measured. */
export function searchGoals({ pages, ms, cpu }: SearchResults): Bound[] {
  const ratios = (what: string, most: number, pairs: Readonly<Record<string, Pair>>) =>
    Object.entries(pairs).map(([name, [few, many]]): Bound => {
      return { goal: `${what}: ${name}`, value: many / few, most, unit: "×" };
    });
  const share = cpu.fill / (cpu.create + cpu.link + cpu.fill);
  return [
    ...ratios("pages", MOST_PAGES, pages),
    ...ratios("time", MOST_TIME, ms),
    { goal: "CPU that creates lose to the filling", value: share * 100, most: MOST_OF_CREATES * 100, unit: "%" },
  ];
}

export function isSearchMet(results: SearchResults): boolean {
  return areMet(searchGoals(results));
}

/** The report for people. */
export function searchMarkdown(around: Surroundings, results: SearchResults): string {
  const { payments, pages, ms, cpu, bytes, createdPayments } = results;
  const counts = payments.map((count) => `${whole(count)} payments`);
  const each = (seconds: number) => [whole((seconds * 1e6) / createdPayments)];
  return `# Search over ${whole(payments[1])} payments

Written by \`npm run bench -- search\`. [docs/performance.md](../docs/performance.md#search) describes it.

- **When**: ${around.at}
- **Machine**: ${listed(around.machine)}
- **Postgres**: ${listed(around.postgres)}
- **Search table**: ${whole(bytes.table / MIB)} MiB, its key ${whole(bytes.key / MIB)} MiB

## Goals

${boundsTable(searchGoals(results))}

## Pages that a statement touches

${table(
  ["typed", ...counts],
  Object.entries(pages).map(([name, pair]) => [name, ...pair.map(whole)]),
)}

## A whole search with the rows that it shows, ms

${table(
  ["typed", ...counts],
  Object.entries(ms).map(([name, pair]) => [name, ...pair.map((value) => value.toFixed(2))]),
)}

## CPU of a payment, µs, of ${whole(createdPayments)} payments

${table(
  ["", "µs"],
  [
    ["create it, over HTTP, with its provider call", ...each(cpu.create)],
    ["link its audit entries (worker)", ...each(cpu.link)],
    ["fill its terms (worker)", ...each(cpu.fill)],
  ],
)}
`;
}

/** The goals as lines for the terminal. */
export function searchLines(results: SearchResults): string {
  return boundLines(searchGoals(results));
}
