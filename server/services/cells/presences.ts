// What all cells say about the merchants that have moved, side by side.
import {
  listMovedMerchantsAcrossMerchants,
  type Presence,
  readPresencesAcrossMerchants,
} from "@/server/db/merchant-stays";
import { allCells, type Cell, inOtherCell } from "@/server/platform/cell";
import { log } from "@/server/platform/log";
import { asServiceError } from "../outage";
import { noteWays } from "./moved";

/** What a cell says about a merchant. */
export interface LocatedPresence extends Presence {
  readonly cell: Cell;
}

export interface Presences {
  /** By merchant, in each cell that answered. */
  readonly byMerchant: ReadonlyMap<string, readonly LocatedPresence[]>;
  /** Cells that did not answer. */
  readonly absent: readonly Cell[];
}

interface Answer<Result> {
  readonly cell: Cell;
  readonly result: Result;
}

/**
 * Asks each cell; those that do not answer are absent, and so are those whose database is not what it should be: such a cell is not
 * served. Returns the answers in the order of the cells.
 */
async function ask<Result>(
  cells: readonly Cell[],
  work: () => Promise<Result>,
  absent: Set<Cell>,
): Promise<Answer<Result>[]> {
  const one = async (cell: Cell): Promise<Answer<Result>[]> => {
    try {
      return [{ cell, result: await inOtherCell(cell, work) }];
    } catch (error) {
      if (!asServiceError(error))
        log().warn({ err: error, cell: cell.name }, "a cell could not say which merchants it has");
      absent.add(cell);
      return [];
    }
  };
  return (await Promise.all(cells.map(one))).flat();
}

/** What each cell says about those merchants, or about all that have moved; the cells are asked one moment after the other. */
export async function readPresences(merchantIds: readonly string[] | null = null): Promise<Presences> {
  const absent = new Set<Cell>();
  const known =
    merchantIds ?? (await ask(allCells(), listMovedMerchantsAcrossMerchants, absent)).flatMap((one) => one.result);
  const ids = [...new Set(known)];
  const byMerchant = new Map<string, LocatedPresence[]>(ids.map((id) => [id, []]));
  if (ids.length > 0) {
    const present = allCells().filter((cell) => !absent.has(cell));
    for (const { cell, result } of await ask(present, () => readPresencesAcrossMerchants(ids), absent)) {
      for (const presence of result) byMerchant.get(presence.merchantId)?.push({ ...presence, cell });
      if (merchantIds === null)
        noteWays(
          cell.name,
          result.flatMap(({ otherCell }) => otherCell ?? []),
        );
    }
  }
  return { byMerchant, absent: [...absent] };
}

/**
 * Positive if the one stay is newer than the other. After a restore of two cells, two stays may have one number: then the one that
 * began later is the newer.
 */
export function compareStays(one: Presence, other: Presence): number {
  return one.stay - other.stay || (one.stayedSince?.getTime() ?? 0) - (other.stayedSince?.getTime() ?? 0);
}

/** The newest stay among places where the merchant is now; null if it is in none of them. */
export function newestResidence(places: readonly LocatedPresence[]): LocatedPresence | null {
  const residences = places.filter(({ isResident }) => isResident);
  return residences.toSorted((one, other) => compareStays(other, one))[0] ?? null;
}
