// What the operator of a history does: moves of merchants, which may be killed, and --abort. The operator knows what commands say.
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@/e2e/faults/fuzz/random";
import { runCommand } from "@/server/cli/testing/run-command";
import { allCells, type Cell } from "@/server/platform/cell";
import { holdMover, killMover } from "../killed-mover";
import { abort, move } from "../three-cells";
import type { HistoryMerchant } from "./merchant";
import type { Stage } from "./stage";

type Result = Readonly<Record<string, unknown>>;

/** Statements around which a move is killed more often than at others. */
const MOMENTS = [
  /INSERT INTO merchant_fence AS f/,
  /count\(\*\)::int AS count FROM api_key/,
  /INSERT INTO merchant_fence \(merchant, state, other_cell, since\)/,
  /SET state = 'ready'/,
  /SET state = 'left', stay/,
  /SELECT open_arrival/,
  /UPDATE merchant_move SET paused_ms/,
  /^DELETE FROM merchant t WHERE/,
];
/** A move sends about so many statements. */
const STATEMENTS = 1_400;

/** Kills the moves of that time at a drawn statement, before or after its execution. */
export async function whileKilling<Value>(random: Random, work: () => Promise<Value>): Promise<Value> {
  const at = random.chance(0.6) ? random.pick(MOMENTS) : random.below(STATEMENTS);
  const mover = killMover(at, random.chance(0.5));
  try {
    return await work();
  } finally {
    mover.restore();
  }
}

/** So long a mover stands still, in ms: servers end its sessions only after 30 s. */
const STILL_MS = 700;

/** Stops the moves of that time for a moment at a drawn statement, while their merchants work. */
export async function whileHolding<Value>(stage: Stage, random: Random, work: () => Promise<Value>): Promise<Value> {
  const mover = holdMover(random.pick(MOMENTS));
  try {
    const doing = work();
    const isHeld = await Promise.race([mover.held.then(() => true), doing.then(() => false)]);
    if (isHeld) {
      await sleep(STILL_MS);
      stage.count("moves that stood still");
    }
    mover.goOn();
    return await doing;
  } finally {
    mover.goOn();
    mover.restore();
  }
}

const isRefusal = ({ code }: Result) => code === "validation_failed" || code === "service_unavailable";

/** Where a merchant's open move leads, as `merchants moves` says; null without one. */
export async function openMoveOf({ books }: HistoryMerchant): Promise<{ from: string; to: string } | null> {
  const { data } = (await runCommand("merchants", "moves")) as { data: Record<string, unknown>[] };
  const open = data.find((one) => one["merchant_id"] === books.merchantId && one["ended_at"] === null);
  return open ? { from: String(open["from"]), to: String(open["to"]) } : null;
}

/** Notes what a command about a move said. Anything but success leaves open where the merchant is. */
function note(stage: Stage, { books }: HistoryMerchant, result: Result, to: string): void {
  const isThere = result["message"] === "to is the cell that the merchant is in";
  if (result["phase"] === "done" || isThere) {
    books.home = to;
    stage.count("moves");
  } else if (result["phase"] === "aborted") {
    books.home = String(result["cell"]);
    stage.count("aborts");
  } else {
    books.home = null;
    stage.count(result["code"] === "service_unavailable" ? "interrupted moves" : "refused moves");
    if (!isRefusal(result)) stage.problems.push(`a move to ${to} said ${JSON.stringify(result)}`);
  }
}

/** Runs the command once, which may be refused or killed. */
export async function tryMove(stage: Stage, merchant: HistoryMerchant, to: Cell): Promise<Result> {
  const result = await move(merchant.books.merchantId, to);
  note(stage, merchant, result, to.name);
  return result;
}

/** Undoes the open move, or finishes it if it cannot be undone any more. */
export async function abortOrFinish(stage: Stage, merchant: HistoryMerchant): Promise<void> {
  const open = await openMoveOf(merchant);
  if (!open) return;
  const result = await abort(merchant.books.merchantId);
  if (result["phase"] === "aborted") return note(stage, merchant, result, open.to);
  if (!String(result["message"]).includes("already: run the command without --abort"))
    stage.problems.push(`--abort said ${JSON.stringify(result)}`);
  await requireDone(stage, merchant, cellNamed(open.to));
}

/** Undoes the open move; the command may be killed. */
export async function tryAbort(stage: Stage, merchant: HistoryMerchant): Promise<void> {
  const result = await abort(merchant.books.merchantId);
  if (result["code"] === "service_unavailable") stage.count("kills");
  if (result["phase"] === "aborted") note(stage, merchant, result, "");
}

/** Goes on with the open move of a merchant; it must end. */
export async function finishOpen(stage: Stage, merchant: HistoryMerchant): Promise<void> {
  const open = await openMoveOf(merchant);
  if (open) await requireDone(stage, merchant, cellNamed(open.to));
}

/** Runs the command without disturbance; it must succeed. */
export async function requireDone(stage: Stage, merchant: HistoryMerchant, to: Cell): Promise<void> {
  const result = await tryMove(stage, merchant, to);
  if (merchant.books.home !== to.name)
    stage.problems.push(`an undisturbed move to ${to.name} said ${JSON.stringify(result)}`);
}

/** The cell of that name. */
export const cellNamed = (name: string): Cell => {
  const cell = allCells().find((one) => one.name === name);
  if (!cell) throw new Error(`no cell is named ${name}`);
  return cell;
};

/** A cell that the merchant is not in, as far as anybody was told. */
export const elsewhere = ({ books }: HistoryMerchant, random: Random): Cell =>
  random.pick(allCells().filter(({ name }) => name !== books.home));
