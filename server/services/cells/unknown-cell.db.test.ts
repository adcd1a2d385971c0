// A merchant has moved to a cell that this process does not know: CELLS lacks it, or not yet names it.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { disconnect } from "@/server/db/client";
import { fence } from "@/server/db/testing/move-by-hand";
import { configureCells, openTwoCells, SECOND_CELL, type TwoCells } from "@/server/db/testing/second-cell";
import { inCell } from "@/server/platform/cell";
import { makeLiveMerchant } from "@/server/testing/merchant";
import { workExposition } from "../work-metrics";

let cells: TwoCells;
let passedMs = 0;
const now = performance.now.bind(performance);
vi.spyOn(performance, "now").mockImplementation(() => now() + passedMs);

beforeAll(async () => {
  cells = await openTwoCells();
});
afterAll(async () => {
  await disconnect();
  await cells.end();
});

/** A process reads its metrics at most every five seconds: they have passed. */
async function expectSample(sample: string): Promise<void> {
  passedMs += 6_000;
  expect((await workExposition()).split("\n")).toContain(sample);
}

test("an alert says so, whether the process knows other cells or none", async () => {
  const { first, second } = cells;
  const { merchantId } = await inCell(first, makeLiveMerchant);
  await fence(first, merchantId, "left", second);
  await expectSample('sluice_merchants_misplaced{trouble="in_unknown_cell",cell="main"} 0');
  configureCells(null);
  await expectSample('sluice_merchants_misplaced{trouble="in_unknown_cell"} 1');
  configureCells([{ ...SECOND_CELL, name: "eu3", url: second.databaseUrl }]);
  await expectSample('sluice_merchants_misplaced{trouble="in_unknown_cell",cell="main"} 1');
});
