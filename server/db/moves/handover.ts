// The instant at which one cell gives a merchant to the other. The new cell's fence has the digest of a secret word. The old
// cell's fence publishes the word in the statement that says `left`. So the merchant opens only after it has left.
import { createHash } from "node:crypto";
import { validationError } from "@/server/domain/errors";
import type { Owner } from "./owner";

/** What a merchant takes from one cell to the other. */
export interface Handover {
  /** The number of the stay that begins. */
  readonly stay: number;
  /** 64 hexadecimal digits that only the move knows until the merchant has left. */
  readonly word: string;
}

const digestOf = (word: string): string => createHash("sha256").update(word).digest("hex");

/** Notes in the new cell that the copy is complete. Throws validation_failed if the copy's fence is gone. */
export async function completeArrival(owner: Owner, merchantId: string, { stay, word }: Handover): Promise<void> {
  const ready = await owner.query(
    `UPDATE merchant_fence SET state = 'ready', since = now(), stay = $2, opening = $3
     WHERE merchant = $1 AND state IN ('arriving', 'ready') RETURNING 1`,
    merchantId,
    stay,
    digestOf(word),
  );
  if (ready.length === 0) throw validationError("the merchant", `has no copy in ${owner.cell.name} any more`);
}

/**
 * The point of no return: the merchant has left, unless its fence was lifted meanwhile; then nothing happens. Returns whether it
 * has. `since` stays, as the beginning of the pause.
 */
export async function completeDeparture(owner: Owner, merchantId: string, { stay, word }: Handover): Promise<boolean> {
  const rows = await owner.query(
    "UPDATE merchant_fence SET state = 'left', stay = $2, opening = $3 WHERE merchant = $1 AND state = 'leaving' RETURNING 1",
    merchantId,
    stay,
    word,
  );
  return rows.length > 0;
}

/** Opens the merchant in the new cell by the word that the old one has published; without effect if it is open. */
export async function openArrival(owner: Owner, merchantId: string, word: string): Promise<void> {
  await owner.query("SELECT open_arrival($1, $2)", merchantId, word);
}

export interface Departure {
  readonly hasLeft: boolean;
  /** The cell that it goes to, or has gone to. */
  readonly otherCell: string;
  /** The word that opens it there; null until it has left. */
  readonly word: string | null;
  /** The number of the stay that begins there; null until it has left. */
  readonly stay: number | null;
  /** Since when the merchant has been open in neither cell, in ms. */
  readonly pausedMs: number;
}

/** How far the merchant is on its way out of the old cell; null without a fence. */
export async function readDeparture(owner: Owner, merchantId: string): Promise<Departure | null> {
  const [row] = await owner.query<Departure>(
    `SELECT state = 'left' AS "hasLeft", other_cell AS "otherCell", opening AS word, stay,
            least(round(extract(epoch FROM clock_timestamp() - since) * 1000), 2147483647)::int AS "pausedMs"
     FROM merchant_fence WHERE merchant = $1 AND state NOT IN ('arriving', 'ready')`,
    merchantId,
  );
  return row ?? null;
}

/** The number of the stay in which the merchant is open in the cell: its rows are there, and no fence closes it. Null if it is not. */
export async function readOpenStay(owner: Owner, merchantId: string): Promise<number | null> {
  const [row] = await owner.query<{ stay: number }>(
    `SELECT coalesce((SELECT number FROM merchant_stay WHERE merchant = $1), 0) AS stay FROM merchant WHERE id = $1
       AND NOT EXISTS (SELECT FROM merchant_fence WHERE merchant = $1 AND state NOT IN ('closing', 'leaving'))`,
    merchantId,
  );
  return row?.stay ?? null;
}

/** Throws validation_failed if the merchant is open in the cell: its rows there are no copy. */
export async function requireClosed(owner: Owner, merchantId: string): Promise<void> {
  if ((await readOpenStay(owner, merchantId)) === null) return;
  throw validationError("the merchant", `is open in ${owner.cell.name}, so its rows there are not removed`);
}
