// Two cells with a merchant each, for tests.
import { type Cell, inCell } from "@/server/platform/cell";
import { addressOf } from "@/server/testing/databases";
import { makeLiveMerchant, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { disconnect } from "../client";
import { configureCells, openTwoCells, SECOND_CELL, type TwoCells } from "./second-cell";

/** A merchant and its cell. */
export interface Resident {
  readonly cell: Cell;
  readonly merchant: TestMerchant;
}

export interface CellsOfTest extends TwoCells {
  /** In the first cell. */
  readonly ours: Resident;
  /** In the second cell. */
  readonly theirs: Resident;
}

/** Opens two cells, and makes a merchant in each. */
export async function openCellsWithMerchants(environment: "test" | "live"): Promise<CellsOfTest> {
  const cells = await openTwoCells();
  const make = async (cell: Cell): Promise<Resident> => {
    const merchant = await inCell(cell, () => (environment === "live" ? makeLiveMerchant() : makeMerchant()));
    return { cell, merchant };
  };
  return { ...cells, ours: await make(cells.first), theirs: await make(cells.second) };
}

/** Runs work while nothing answers at the second cell's address. */
export async function whileAway({ second }: TwoCells, work: () => Promise<void>): Promise<void> {
  const url = second.databaseUrl ?? "";
  const away = new URL(addressOf(url, "nothing"));
  away.port = "9";
  await disconnect();
  configureCells([{ ...SECOND_CELL, url: away.href }]);
  try {
    await work();
  } finally {
    await disconnect();
    configureCells([{ ...SECOND_CELL, url }]);
  }
}
