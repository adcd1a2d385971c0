// The report of the simulation of growth.
import type { Surroundings } from "../surroundings";
import { listed, table, whole } from "../text";

/** What was measured at the end of a day. */
export interface Mark {
  readonly day: number;
  /** Lives until then. */
  readonly lives: number;
  /** Pages that one call or statement touches. */
  readonly pages: Readonly<Record<string, number>>;
  readonly walPerCreate: number;
  /** By table, with indexes. */
  readonly bytes: Readonly<Record<string, number>>;
}

export interface GrowthResults {
  readonly days: number;
  readonly livesPerDay: number;
  /** The first is what the others are compared with. */
  readonly marks: readonly Mark[];
}

/** Tables whose rows are removed when they are old. */
const BOUNDED = ["api_log", "delivery_attempt", "idempotency_key", "idempotency_seal"];
/** A B-tree of ten times the rows is one level deeper, and a statement reads a few of them. */
const MOST_PAGES = 1.5;
const MOST_BYTES = 1.3;
const MIB = 1_048_576;
/** What a table of a few pages may grow by: its free pages come and go. Rows that stayed would be hundreds of MiB. */
const FEW_PAGES = MIB;

function ends({ marks }: GrowthResults): readonly [Mark, Mark] {
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last) throw new Error("nothing was measured");
  return [first, last];
}

interface Goal {
  readonly goal: string;
  readonly ratio: number;
  readonly most: number;
}

/** Every goal: the last mark compared with the first. */
export function growthGoals(results: GrowthResults): Goal[] {
  const [first, last] = ends(results);
  const pages = Object.keys(first.pages).map((name) => ({
    goal: `pages: ${name}`,
    ratio: (last.pages[name] ?? Number.NaN) / (first.pages[name] ?? Number.NaN),
    most: MOST_PAGES,
  }));
  const bytes = BOUNDED.map((name) => {
    const begin = first.bytes[name] ?? Number.NaN;
    const ratio = (last.bytes[name] ?? Number.NaN) / begin;
    return { goal: `size: ${name}`, ratio, most: Math.max(MOST_BYTES, 1 + FEW_PAGES / begin) };
  });
  return [
    ...pages,
    { goal: "WAL of a create", ratio: last.walPerCreate / first.walPerCreate, most: MOST_PAGES },
    ...bytes,
  ];
}

const isMet = ({ ratio, most }: Goal) => ratio <= most;

export function isGrowthMet(results: GrowthResults): boolean {
  return growthGoals(results).every(isMet);
}

/** Bytes of the tables that stay, for each life, by table. */
export function bytesPerLife(results: GrowthResults): readonly (readonly [string, number])[] {
  const [first, last] = ends(results);
  return Object.entries(last.bytes)
    .filter(([name]) => !BOUNDED.includes(name))
    .map(([name, bytes]) => [name, (bytes - (first.bytes[name] ?? 0)) / (last.lives - first.lives)] as const)
    .filter(([, bytes]) => bytes >= 1)
    .sort(([, a], [, b]) => b - a);
}

const total = (rows: readonly (readonly [string, number])[]) => rows.reduce((sum, [, bytes]) => sum + bytes, 0);

/** The report for people. */
export function growthMarkdown(around: Surroundings, results: GrowthResults): string {
  const { marks, days: all, livesPerDay } = results;
  const days = marks.map(({ day }) => `day ${day}`);
  const [first] = ends(results);
  const pages = Object.keys(first.pages).map((name) => [
    name,
    ...marks.map((mark) => (mark.pages[name] ?? 0).toFixed(1)),
  ]);
  const wal = ["WAL bytes of a create", ...marks.map(({ walPerCreate }) => whole(walPerCreate))];
  const sizes = BOUNDED.map((name) => [name, ...marks.map(({ bytes }) => ((bytes[name] ?? 0) / MIB).toFixed(1))]);
  const state = bytesPerLife(results);
  const goals = growthGoals(results).map((goal) => [
    goal.goal,
    `≤ ${goal.most.toFixed(2)} ×`,
    `${goal.ratio.toFixed(2)} ×`,
    isMet(goal) ? "yes" : "**no**",
  ]);
  return `# Growth over ${whole(all)} days

Written by \`npm run bench -- growth\`. [docs/performance.md](../docs/performance.md#two-years) describes it.

- **When**: ${around.at}
- **Machine**: ${listed(around.machine)}
- **Postgres**: ${listed(around.postgres)}
- **Run**: ${whole(livesPerDay)} lives a day, ${whole(marks.at(-1)?.lives ?? 0)} in all

## Goals: the last day compared with day ${first.day}

${table(["what", "wanted", "measured", "met"], goals)}

## Pages that a call or statement touches

${table(["", ...days], [...pages, wal])}

## Tables whose old rows go, MiB

${table(["table", ...days], sizes)}

## Tables whose rows stay: ${whole(total(state))} bytes for each life

${table(
  ["table", "bytes, with indexes"],
  state.map(([name, bytes]) => [name, whole(bytes)]),
)}
`;
}

/** The results as lines for the terminal. */
export function growthLines(results: GrowthResults): string {
  const goals = growthGoals(results).map(
    (goal) =>
      `${isMet(goal) ? "met " : "MISS"}  ${goal.goal}: ${goal.ratio.toFixed(2)} × (≤ ${goal.most.toFixed(2)} ×)`,
  );
  return [`state: ${whole(total(bytesPerLife(results)))} bytes for each life`, ...goals].join("\n");
}
