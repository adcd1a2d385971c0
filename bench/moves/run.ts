// `npm run bench -- moves`: what a merchant's move to another cell costs the merchant, and its neighbors in both cells.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROJECT_ROOT } from "@/e2e/support/service-process";
import { messageOf } from "../rounds";
import type { Party } from "../stage";
import { type Surroundings, surroundings } from "../surroundings";
import { type LockWatch, watchLocks } from "./locks";
import { type MovesOfOne, moveInTurn, rest } from "./mover";
import { type Answer, answersIn, latenciesOf, type NeighborLoad, type Span, startNeighbors } from "./neighbors";
import {
  areMovesMet,
  type MovesResults,
  type MovesSize,
  movesLines,
  movesMarkdown,
  type NeighborTime,
  type Stretch,
} from "./report";
import { CELLS, type Scene, withScene } from "./scene";

const FULL: MovesSize = { baselineSeconds: 60, moves: 10, payments: 100_000 };
/** So that almost all of its move is the making and removing of triggers and fences. A payment is about ten rows. */
const SMALL_PAYMENTS = 5;
/** There and back. */
const LARGE_MOVES = 2;

interface Meters {
  readonly load: NeighborLoad;
  readonly locks: LockWatch;
}

function stretchOf({ load, locks }: Meters, before: Span, ofOne: MovesOfOne, after: Span): Stretch {
  const { moves, between, own } = ofOne;
  /** Of each cell in the spans that belong to it. */
  const timeIn = (spansOf: (cell: string) => readonly Span[]): NeighborTime => {
    const pick = (cells: readonly (readonly Answer[])[]) =>
      cells.flatMap((all, n) => answersIn(all, spansOf(CELLS[n] ?? "")));
    return { ...latenciesOf(pick(load.answers)), lockMs: Math.max(0, ...pick(locks.waits).map(({ ms }) => ms)) };
  };
  const during = (role: "old" | "new") => (cell: string) =>
    moves.filter(({ figures }) => (figures.to === cell) === (role === "new")).map(({ span }) => span);
  return {
    moves: moves.map(({ figures }) => figures),
    own,
    neighbors: {
      before: timeIn(() => [before]),
      after: timeIn(() => [after]),
      baseline: timeIn(() => [before, after]),
      between: timeIn(() => between),
      oldCell: timeIn(during("old")),
      newCell: timeIn(during("new")),
    },
  };
}

/** The neighbors create all the time; small and large moves are compared with the time before and after them. */
async function measure(scene: Scene, size: MovesSize): Promise<MovesResults> {
  const small = await scene.addMover(SMALL_PAYMENTS);
  const large = await scene.addMover(size.payments);
  process.stdout.write(`${size.payments.toLocaleString("en")} payments are there\n`);
  await scene.settle();
  const load = startNeighbors(scene.baseUrl, scene.neighbors);
  const locks = watchLocks(scene.databases);
  const rests: Span[] = [];
  const played: MovesOfOne[] = [];
  const restForBaseline = () => {
    process.stdout.write(`${size.baselineSeconds} s without a move\n`);
    return rest(size.baselineSeconds * 1_000);
  };
  const play = async (party: Party, times: number) => {
    played.push(await moveInTurn(scene, party, times));
    rests.push(await restForBaseline());
  };
  let failed: number;
  try {
    rests.push(await restForBaseline());
    await play(small, size.moves);
    await play(large, LARGE_MOVES);
  } finally {
    [failed] = await Promise.all([load.end(), locks.end()]);
  }
  const [first, second, third] = rests as [Span, Span, Span];
  const [ofSmall, ofLarge] = played as [MovesOfOne, MovesOfOne];
  return {
    ...size,
    small: stretchOf({ load, locks }, first, ofSmall, second),
    large: stretchOf({ load, locks }, second, ofLarge, third),
    failed,
    violations: await scene.countViolations(),
  };
}

function sizeOf(words: readonly string[]): MovesSize {
  const { values } = parseArgs({
    args: [...words],
    options: {
      "baseline-seconds": { type: "string", default: String(FULL.baselineSeconds) },
      moves: { type: "string", default: String(FULL.moves) },
      payments: { type: "string", default: String(FULL.payments) },
    },
  });
  const count = (name: keyof typeof values) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) throw new TypeError(`--${name} must be a positive integer`);
    return value;
  };
  return { baselineSeconds: count("baseline-seconds"), moves: count("moves"), payments: count("payments") };
}

function writeReport(size: MovesSize, around: Surroundings, results: MovesResults): void {
  const isFull = (Object.keys(FULL) as (keyof MovesSize)[]).every((name) => size[name] >= FULL[name]);
  const folder = join(PROJECT_ROOT, isFull ? "bench" : ".data/bench");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "MOVES.md"), movesMarkdown(around, results));
  writeFileSync(join(folder, "moves.json"), `${JSON.stringify({ ...around, ...results }, null, 2)}\n`);
}

/** Runs it and writes its results; returns the exit status. */
export async function runMoves(words: readonly string[]): Promise<number> {
  try {
    const size = sizeOf(words);
    return await withScene(async (scene) => {
      const results = await measure(scene, size);
      writeReport(size, await surroundings({ database: scene.databases[0] }, PROJECT_ROOT), results);
      process.stdout.write(`\n${movesLines(results)}\n`);
      return areMovesMet(results) ? 0 : 1;
    });
  } catch (error) {
    process.stderr.write(`FAILED: ${messageOf(error)}\n`);
    return 1;
  }
}
