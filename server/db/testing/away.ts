// Makes the database of one of two cells unreachable for a while, for tests.
import { disconnect } from "@/server/db/client";
import { addressOf } from "@/server/testing/databases";
import { clearCaches } from "./failing-statements";
import { configureCells, SECOND_CELL, type TwoCells } from "./second-cell";

/** Runs `work` while the address of the cell leads to a closed port. */
export async function whileAway<Result>(
  cells: TwoCells,
  which: "first" | "second",
  work: () => Promise<Result>,
): Promise<Result> {
  const own = process.env.DATABASE_URL;
  const second = cells.second.databaseUrl ?? "";
  const away = new URL(addressOf(second, "nothing"));
  away.port = "9";
  await disconnect();
  if (which === "first") process.env.DATABASE_URL = away.href;
  configureCells([{ ...SECOND_CELL, url: which === "second" ? away.href : second }]);
  clearCaches();
  try {
    return await work();
  } finally {
    await disconnect();
    process.env.DATABASE_URL = own;
    configureCells([{ ...SECOND_CELL, url: second }]);
    clearCaches();
  }
}
