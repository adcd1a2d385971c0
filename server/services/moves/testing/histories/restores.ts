// Cells of a history that are restored to a backup, with the steps of docs/operating.md, and what the merchants lose by it.
import type { Random } from "@/e2e/faults/fuzz/random";
import { runCommand } from "@/server/cli/testing/run-command";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { newId } from "@/server/platform/ids";
import { settleStays, settleStaysAtStart } from "@/server/services/cells/settle-stays";
import { prepareDispatch } from "@/server/services/dispatch/control";
import { sql } from "../three-cells";
import { type Books, copyOf } from "./books";
import { PATIENCE_MS, send } from "./client";
import { type HistoryMerchant, payoutBody } from "./merchant";
import { cellNamed, finishOpen } from "./operator";
import type { Stage } from "./stage";

interface Backup {
  readonly cell: string;
  readonly url: string;
  /** The books of each merchant at that moment, in the order of the merchants. */
  readonly books: readonly Books[];
  /** The number of each merchant's stay in its cell then. */
  readonly stays: readonly number[];
}

/** Backups of a history, the oldest first. */
export type Backups = Backup[];

/** Takes a backup of a cell. While a move is open, none is taken: such a restore is another matter. */
export async function backUp(
  stage: Stage,
  merchants: readonly HistoryMerchant[],
  backups: Backups,
  cell: Cell,
): Promise<void> {
  for (const merchant of merchants) await finishOpen(stage, merchant);
  if (merchants.some(({ books }) => books.home === null)) return;
  const books = merchants.map((merchant) => copyOf(merchant.books));
  const stays = await staysOf(merchants);
  backups.push({ cell: cell.name, url: await stage.backUp(cell), books, stays });
  stage.count("backups");
}

/** Lets a cell be a database, as a restore does, and does what every restore needs before payouts go on. */
async function start(stage: Stage, cell: string, url: string): Promise<void> {
  await stage.pointTo(cellNamed(cell), url);
  await inCell(cellNamed(cell), prepareDispatch);
  await settleStaysAtStart();
  const resumed = await runCommand("dispatch", "resume", "--reason", "Restored; reconciled with the provider");
  if (resumed["code"]) stage.problems.push(`dispatch resume said ${JSON.stringify(resumed)}`);
}

/** Restores a cell to this very moment: nothing is lost, whatever is under way. */
export async function restoreToNow(stage: Stage, cell: Cell): Promise<void> {
  const url = await stage.backUp(cell);
  await start(stage, cell.name, url);
  stage.count("restores to a moment ago");
}

/** The number of each merchant's stay in the cell that it is in. */
async function staysOf(merchants: readonly HistoryMerchant[]): Promise<number[]> {
  const stays: number[] = [];
  for (const { books } of merchants) {
    const text = "SELECT number FROM merchant_stay WHERE merchant = $1";
    const [row] = await sql(cellNamed(books.home ?? ""), text, books.merchantId);
    stays.push(Number(row?.["number"] ?? 0));
  }
  return stays;
}

/** The merchants that are in the cell of a backup now, and not in their present stay in the backup: a restore loses them. */
async function lostBy(backup: Backup, merchants: readonly HistoryMerchant[]): Promise<HistoryMerchant[]> {
  const stays = await staysOf(merchants);
  return merchants.filter(({ books }, at) => {
    const isThere = backup.books[at]?.home === backup.cell && backup.stays[at] === stays[at];
    return books.home === backup.cell && !isThere;
  });
}

/**
 * Restores a cell to an earlier backup. If that lacks the last move of a merchant, an alert says so, and the operator restores a
 * later backup of the cell, taken after that move.
 */
export async function restore(
  stage: Stage,
  merchants: readonly HistoryMerchant[],
  backups: Backups,
  random: Random,
): Promise<void> {
  for (const merchant of merchants) await finishOpen(stage, merchant);
  if (backups.length === 0 || merchants.some(({ books }) => books.home === null)) return;
  const drawn = random.pick(backups);
  const later = backups.findLast(({ cell }) => cell === drawn.cell) ?? drawn;
  if ((await lostBy(later, merchants)).length > 0) return;
  let used = drawn;
  const lost = await lostBy(drawn, merchants);
  if (lost.length > 0) {
    await start(stage, drawn.cell, drawn.url);
    await requireAlert(stage, lost);
    used = later;
    stage.count("restores that lacked a merchant");
  }
  stage.acts.push(`${used.cell} is restored to the backup ${backups.indexOf(used)}`);
  await start(stage, used.cell, used.url);
  stage.count("restores");
  for (const [at, merchant] of merchants.entries()) {
    const { books } = merchant;
    const before = used.books[at];
    if (!before) continue;
    if (books.home === used.cell) await fallBack(stage, merchant, copyOf(before), random);
    else if (before.home === used.cell) await dropOlder(stage, merchant, used.cell);
  }
  // The backup is the cell's database from now on.
  backups.splice(0, backups.length, ...backups.filter(({ cell }) => cell !== used.cell));
  await backUp(stage, merchants, backups, cellNamed(used.cell));
}

/** The cell that each lost merchant came from must note the loss, after two rounds of a worker. */
async function requireAlert(stage: Stage, expected: readonly HistoryMerchant[]): Promise<void> {
  for (let round = 0; round < 2; round += 1) await inEachCell(settleStays);
  const lost: string[] = [];
  for (const cell of allCells()) {
    const rows = await sql(cell, "SELECT merchant FROM merchant_fence WHERE lost_since IS NOT NULL");
    lost.push(...rows.map(({ merchant }) => String(merchant)));
  }
  for (const { books } of expected)
    if (!lost.includes(books.merchantId))
      stage.problems.push(`no cell says that ${books.merchantId} is lost, which was in ${books.home}`);
}

/** What came after the backup is lost. The merchant repeats most of its payouts under their references. */
async function fallBack(stage: Stage, merchant: HistoryMerchant, before: Books, random: Random): Promise<void> {
  const lost = [...merchant.books.payouts.values()].filter(({ fields }) => !before.payouts.has(String(fields["id"])));
  merchant.books = before;
  stage.count("merchants that fell back");
  for (const { fields } of lost) {
    if (random.chance(0.3)) continue;
    const body = payoutBody(String(fields["amount"]), String(fields["merchant_reference"]));
    const [first] = before.keys;
    if (!first) return;
    const plain = { subject: null, method: "POST", path: "/payout_intents", idempotencyKey: newId("request") } as const;
    await send(stage, before, { kind: "create payout", key: first.key, body, ...plain }, PATIENCE_MS.much);
    stage.count("payouts repeated after a loss");
  }
}

/** The restored cell had a merchant that has gone on to another one since: its older rows there are removed. */
async function dropOlder(stage: Stage, { books }: HistoryMerchant, cell: string): Promise<void> {
  const dropped = await runCommand("merchants", "drop-copy", "--merchant", books.merchantId, "--from", cell);
  if (dropped["code"]) stage.problems.push(`drop-copy from ${cell} said ${JSON.stringify(dropped)}`);
  else stage.count("older copies dropped");
}
