// Copying: the merchant's rows, table by table, while its work goes on in the old cell.
import { isUniqueViolation } from "@/server/db/failures";
import { fenceArrival } from "@/server/db/moves/fences";
import { noteRowsCopied } from "@/server/db/moves/record";
import { type Key, type Page, readPage, replaceRows } from "@/server/db/moves/rows";
import { copyFilesOfOperator } from "@/server/db/moves/settlement-files";
import type { MovedTable } from "@/server/db/moves/shape";
import { renewStatistics } from "@/server/db/moves/statistics";
import { ServiceError, validationError } from "@/server/domain/errors";
import { followOnce } from "./follow";
import { type Move, ROWS_AT_ONCE } from "./move";
import { findOlderTransaction } from "./older-transactions";
import { startTriggers } from "./triggers";

const NOTED_EVERY_MS = 2_000;
const TRIES = 5;
const OLDER_TRANSACTIONS_MS = 30_000;
/** Statistics are renewed each time that a table has so many times the rows that it had before. */
const GROWTH = 4;

/** Copies all rows, from the beginning, and the operator's settlement files. From then on their changes are noted. */
export async function copy(move: Move): Promise<void> {
  const { from, to, home, record, merchantId, tables, say } = move;
  await fenceArrival(to, merchantId, from.cell.name);
  // A statement of all merchants that began before the fence could still take up what is copied now.
  const older = await findOlderTransaction(to, OLDER_TRANSACTIONS_MS);
  if (older) throw new ServiceError("service_unavailable", `${older}. Run the command again.`);
  await startTriggers(move);
  await copyFilesOfOperator(from, to);
  let copied = 0;
  let notedAt = performance.now();
  for (const table of tables) {
    let [ofTable, renewedAt] = [0, ROWS_AT_ONCE];
    for (let after: Key | null = null; ; ) {
      const { keys } = await copyPage(move, table, after);
      copied += keys.length;
      ofTable += keys.length;
      after = keys.at(-1) ?? after;
      if (keys.length < ROWS_AT_ONCE) break;
      if (ofTable >= renewedAt) {
        await renewStatistics(to, table);
        renewedAt = ofTable * GROWTH;
      }
      if (performance.now() - notedAt < NOTED_EVERY_MS) continue;
      await noteRowsCopied(home, record.id, copied);
      say(`copied ${copied} rows; at ${table.name}`);
      notedAt = performance.now();
    }
  }
  await noteRowsCopied(home, record.id, copied);
  say(`copied ${copied} rows`);
}

/**
 * Copies the rows behind a key. One of them may have a name that another one had when that one was copied: then changed rows are
 * copied first.
 */
async function copyPage(move: Move, table: MovedTable, after: Key | null, tries = TRIES): Promise<Page> {
  const page = await readPage(move.from, table, move.merchantId, "text", after, ROWS_AT_ONCE);
  if (page.keys.length === 0) return page;
  try {
    await replaceRows(move, table, move.merchantId, page.keys, page.rows);
    return page;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    if (tries === 1)
      throw validationError(
        move.to.cell.name,
        `has a row of another merchant in the way of one of ${table.name}: ${String(error)}`,
      );
  }
  await followOnce(move);
  return copyPage(move, table, after, tries - 1);
}
