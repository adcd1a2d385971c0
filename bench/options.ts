// The command line of `npm run bench`: what to run, how long, over how many rows.
import { parseArgs } from "node:util";
import type { Settings } from "./rounds";

export interface Options {
  /** For trials: single short rounds over few rows, written to the data folder instead of the tree. */
  readonly isQuick: boolean;
  /** Names of the sections to run; empty for all. */
  readonly only: readonly string[];
  readonly settings: Settings;
  /** A filter's latency varies less than a commit's, so its rounds are shorter. */
  readonly filterSettings: Settings;
  /** Connections of the creating cases. */
  readonly connections: readonly number[];
  /** Rows of the small list and of the large one. */
  readonly listRows: readonly [few: number, many: number];
  /** Number of creates during which the web process's memory is sampled. */
  readonly watchedCreates: number;
  /** Number of expired idempotency keys to reap under load. */
  readonly pile: number;
  /** No section begins after this time. */
  readonly lastStartSeconds: number;
}

const FULL = {
  settings: { rounds: 3, seconds: 2, warmUpSeconds: 1 },
  filterSettings: { rounds: 3, seconds: 0.7, warmUpSeconds: 0.25 },
  // Many first: all contestants' code is then compiled before the rounds at few, whose latency is compared.
  connections: [128, 32, 8, 1],
  watchedCreates: 100_000,
  pile: 150_000,
};

const QUICK = {
  settings: { rounds: 1, seconds: 1, warmUpSeconds: 0.5 },
  filterSettings: { rounds: 1, seconds: 0.3, warmUpSeconds: 0.2 },
  connections: [32, 1],
  watchedCreates: 2_000,
  pile: 20_000,
};

const FEW_ROWS = 10_000;
const MANY_ROWS = 1_000_000;
/** More than 1,000 pages of 25. */
const QUICK_ROWS = 30_000;
const LAST_START_SECONDS = 740;

/** Parses the words after `npm run bench --`. Throws a TypeError that names an unknown word. */
export function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
      "ten-million": { type: "boolean", default: false },
      "million-creates": { type: "boolean", default: false },
    },
  });
  const isQuick = values.quick;
  const isLong = values["ten-million"] || values["million-creates"];
  const many = values["ten-million"] ? 10 * MANY_ROWS : isQuick ? QUICK_ROWS : MANY_ROWS;
  const base = isQuick ? QUICK : FULL;
  return {
    ...base,
    isQuick,
    only: values.only.flatMap((names) => names.split(",")),
    listRows: [FEW_ROWS, many],
    watchedCreates: values["million-creates"] ? 1_000_000 : base.watchedCreates,
    lastStartSeconds: isLong ? Number.POSITIVE_INFINITY : LAST_START_SECONDS,
  };
}
