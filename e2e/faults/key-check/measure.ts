// Measures checks of keys: CPU of blocks of calls, and the time of single calls.
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { authenticate } from "@/server/services/api-keys/authenticate";
import { median } from "../../support/statistics";
import { type Pair, unknownPair, wrongPair } from "./keys";

/** Calls of one kind in a row: long enough for the clock of the CPU, short enough that a busy moment meets all kinds. */
const BLOCK = 500;
/** Longer than the caches of keys keep what they read, in ms. */
const STALE_AFTER_MS = 1_000;

/** Right: the key's own secret. Wrong: another one. Unknown: a public key that nobody has. */
export const KINDS = ["right", "wrong", "unknown"] as const;
export type Kind = (typeof KINDS)[number];

/**
 * What one block of each kind took, per call in µs: the mean of the CPU, and the median of the time, which does not count
 * when the system gave the core to somebody else.
 */
export type Block = Readonly<Record<Kind, { readonly cpu: number; readonly wall: number }>>;

export interface Warm {
  readonly calls: number;
  readonly blocks: readonly Block[];
  /** Calls with another result than they must have. */
  readonly mistakes: number;
}

/** The time of the first wrong guess at each of some keys in use and at as many unknown ones, in µs. */
export interface FirstGuesses {
  readonly wrong: readonly number[];
  readonly unknown: readonly number[];
  readonly mistakes: number;
}

const outcomeOf = (pair: Pair): Promise<string> =>
  authenticate(pair, "203.0.113.7").then(
    () => "accepted",
    (error: unknown) => String((error as { code?: string }).code),
  );

async function playBlock(pair: Pair, expected: string, calls: number) {
  let mistakes = 0;
  // Cached checks never wait, so what they began in the background can go on only here.
  await nextTurn();
  const times = new Float64Array(calls);
  const before = process.cpuUsage();
  for (let n = 0; n < calls; n += 1) {
    const startedAt = performance.now();
    if ((await outcomeOf(pair)) !== expected) mistakes += 1;
    times[n] = performance.now() - startedAt;
  }
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / calls, wall: median(times) * 1_000, mistakes };
}

/** The kinds in an order that changes from block to block, so that none always follows the same one. */
const turned = (n: number): readonly Kind[] => {
  const from = n % KINDS.length;
  const order = [...KINDS.slice(from), ...KINDS.slice(0, from)];
  return n % 2 === 0 ? order : order.toReversed();
};

/** Checks `calls` pairs of each kind, in blocks by turns, after as many blocks as it takes to be compiled. */
export async function measureWarm(key: Pair, calls: number): Promise<Warm> {
  const pairs: Readonly<Record<Kind, Pair>> = { right: key, wrong: wrongPair(key), unknown: unknownPair(key) };
  const blocks: Block[] = [];
  let mistakes = 0;
  const play = async (n: number): Promise<Block> => {
    const block: Partial<Record<Kind, Block[Kind]>> = {};
    for (const kind of turned(n)) {
      const { mistakes: more, ...took } = await playBlock(
        pairs[kind],
        kind === "right" ? "accepted" : "unauthorized",
        BLOCK,
      );
      block[kind] = took;
      mistakes += more;
    }
    return block as Block;
  };
  const count = Math.ceil(calls / BLOCK);
  for (let n = 0; n < Math.max(12, count / 10); n += 1) await play(n);
  for (let n = 0; n < count; n += 1) blocks.push(await play(n));
  return { calls: count * BLOCK, blocks, mistakes };
}

/**
 * Takes the time of the first wrong secret for each key that is in use, and of the first guess at as many unknown ones. The
 * owner's last call was a moment ago, so the key is cached; a stranger must not notice.
 */
export async function measureFirstGuesses(keys: readonly Pair[]): Promise<FirstGuesses> {
  const took: { wrong: number[]; unknown: number[] } = { wrong: [], unknown: [] };
  let mistakes = 0;
  const time = async (kind: "wrong" | "unknown", pair: Pair) => {
    const startedAt = performance.now();
    if ((await outcomeOf(pair)) !== "unauthorized") mistakes += 1;
    took[kind].push((performance.now() - startedAt) * 1_000);
  };
  for (const key of keys) if ((await outcomeOf(key)) !== "accepted") mistakes += 1;
  // What the owners' first calls left behind must not count as the stranger's.
  await sleep(STALE_AFTER_MS);
  for (const [n, key] of keys.entries()) {
    if ((await outcomeOf(key)) !== "accepted") mistakes += 1;
    const guesses = [["wrong", wrongPair(key)] as const, ["unknown", unknownPair(key)] as const];
    for (const [kind, pair] of n % 2 === 0 ? guesses : guesses.toReversed()) await time(kind, pair);
  }
  // The last refusals are recorded in the background.
  await sleep(STALE_AFTER_MS);
  return { ...took, mistakes };
}
