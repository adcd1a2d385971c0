// Which cells have a merchant, as each of them says (docs/decisions/0082): for finding one that is open in two of them, or in none.
import { queryAcrossMerchants } from "./client";
import type { MerchantFence } from "./merchant-fences";

/** What a cell says about a merchant that has moved. */
export interface Presence {
  readonly merchantId: string;
  /** True if the cell works for the merchant, or will again if its move does not go on. */
  readonly isResident: boolean;
  /** The number of its last stay here; 0 if it never came by a move. */
  readonly stay: number;
  /** When that began; null for the first one. */
  readonly stayedSince: Date | null;
  /** The cells from which it has ever come here. */
  readonly fromCells: readonly string[];
  readonly state: MerchantFence["state"] | null;
  readonly otherCell: string | null;
  /** ready: the number of the stay that begins here. left: of the one that has begun in the other cell. */
  readonly nextStay: number | null;
  /** left: the word that opens the merchant in the other cell. */
  readonly word: string | null;
  /** When it was closed because it was open in another cell, in a later stay. */
  readonly overtakenAt: Date | null;
  /** Since when the other cell has lacked it. */
  readonly lostSince: Date | null;
}

/** The merchants that have moved to or from the running work's cell, or are moving. */
export async function listMovedMerchantsAcrossMerchants(): Promise<string[]> {
  const rows = await queryAcrossMerchants<{ merchant: string }>(
    "SELECT merchant FROM merchant_fence UNION SELECT merchant FROM merchant_stay",
  );
  return rows.map(({ merchant }) => merchant);
}

const PRESENCES = `
  SELECT k.id AS "merchantId", coalesce(s.number, 0) AS stay, s.since AS "stayedSince", coalesce(s.from_cells, '{}') AS "fromCells", f.state, f.other_cell AS "otherCell", f.stay AS "nextStay",
         CASE f.state WHEN 'left' THEN f.opening END AS word, f.overtaken_at AS "overtakenAt", f.lost_since AS "lostSince",
         CASE WHEN f.state IS NULL THEN EXISTS (SELECT FROM merchant m WHERE m.id = k.id)
              ELSE f.state IN ('closing', 'leaving') END AS "isResident"
  FROM unnest($1::text[]) AS k(id)
  LEFT JOIN merchant_stay s ON s.merchant = k.id LEFT JOIN merchant_fence f ON f.merchant = k.id`;

/** What the running work's cell says about these merchants. */
export function readPresencesAcrossMerchants(merchantIds: readonly string[]): Promise<Presence[]> {
  return queryAcrossMerchants<Presence>(PRESENCES, merchantIds);
}

/**
 * Whether the running work's cell has rows of the merchant, or a copy that arrives: the state of its fence, or `open` without one.
 * Null if it has neither.
 */
export async function readCopyAcrossMerchants(merchantId: string): Promise<MerchantFence["state"] | "open" | null> {
  const [row] = await queryAcrossMerchants<{ state: MerchantFence["state"] | "open" }>(
    `SELECT coalesce(f.state, 'open') AS state
     FROM (VALUES ($1)) AS k(id) LEFT JOIN merchant_fence f ON f.merchant = k.id
     WHERE f.state IN ('arriving', 'ready') OR has_rows_of(k.id)`,
    merchantId,
  );
  return row?.state ?? null;
}

/** Opens a merchant in the running work's cell by the word of the cell that it has left. Returns whether this call did. */
export async function openArrivalAcrossMerchants(merchantId: string, word: string): Promise<boolean> {
  const sql = "SELECT open_arrival($1, $2) AS done";
  const [row] = await queryAcrossMerchants<{ done: boolean }>(sql, merchantId, word);
  return row?.done ?? false;
}

/**
 * Closes a merchant in the running work's cell that is in another one in a later stay, and makes callbacks due again that came here
 * since then. Returns whether this call did.
 */
export async function closeOlderStayAcrossMerchants(
  merchantId: string,
  cell: string,
  stay: number,
  since: Date | null,
): Promise<boolean> {
  const sql = "SELECT close_older_stay($1, $2, $3, $4::timestamptz) AS done";
  const [row] = await queryAcrossMerchants<{ done: boolean }>(
    sql,
    merchantId,
    cell,
    stay,
    since?.toISOString() ?? null,
  );
  return row?.done ?? false;
}

/**
 * Lets names of a merchant lead from the running work's cell, where it is not, to the one that has it in a later stay. Returns
 * whether this call did.
 */
export async function leadToLaterStayAcrossMerchants(merchantId: string, cell: string, stay: number): Promise<boolean> {
  const sql = "SELECT lead_to_later_stay($1, $2, $3) AS done";
  const [row] = await queryAcrossMerchants<{ done: boolean }>(sql, merchantId, cell, stay);
  return row?.done ?? false;
}

/** Notes whether the cell to which a merchant has gone from here lacks it. Returns whether that is news. */
export async function noteLostMerchantAcrossMerchants(merchantId: string, isLost: boolean): Promise<boolean> {
  const sql = "SELECT note_lost_merchant($1, $2) AS done";
  const [row] = await queryAcrossMerchants<{ done: boolean }>(sql, merchantId, isLost);
  return row?.done ?? false;
}

/** How many merchants that move, or have moved, are in trouble in the running work's cell. */
export interface MisplacedMerchants {
  /** They have left it, were open here and in another cell, and nobody has looked at what they did here. */
  readonly inTwoCells: number;
  /** They have left it, and the other cell lacks them. */
  readonly inNoCell: number;
  /** The other cell of their move is none of those that are known. */
  readonly inUnknownCell: number;
  /** Their move has been in its pause for over a minute. */
  readonly closed: number;
}

/** Counts them. */
export async function countMisplacedAcrossMerchants(knownCells: readonly string[]): Promise<MisplacedMerchants> {
  const [row] = await queryAcrossMerchants<MisplacedMerchants>(
    `SELECT count(overtaken_at)::int AS "inTwoCells", count(lost_since)::int AS "inNoCell",
            (count(*) FILTER (WHERE other_cell <> ALL ($1::text[])))::int AS "inUnknownCell",
            (count(*) FILTER (WHERE state IN ('closing', 'leaving', 'ready') AND since < now() - interval '1 minute'))::int AS closed
     FROM merchant_fence`,
    knownCells,
  );
  return row ?? { inTwoCells: 0, inNoCell: 0, inUnknownCell: 0, closed: 0 };
}
