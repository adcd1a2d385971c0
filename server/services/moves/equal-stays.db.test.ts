// Two cells that have a merchant open in stays of the same number.
import { expect, it } from "vitest";
import { allCells, inEachCell } from "@/server/platform/cell";
import { settleStays } from "../cells/settle-stays";
import { settleAbandonedMoves } from "./abandoned";
import { fenceIn } from "./testing/rows";
import { eu2, eu3, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

it("a merchant is not open in two cells after a restore of both cells was partly taken back", async () => {
  const merchantId = await makeOne();
  const [mainBefore, eu2Before] = [await cells.backUp(main()), await cells.backUp(eu2())];
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  // Both cells are restored to the same time, before the move: the merchant is open in main, as it was.
  await cells.pointTo([mainBefore, eu2Before]);
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
  // Somebody has found a later backup of eu2.
  await cells.pointTo([mainBefore, null]);
  for (let round = 0; round < 4; round += 1) {
    await inEachCell(settleStays);
    await inEachCell(settleAbandonedMoves);
  }
  const open: string[] = [];
  const trouble: string[] = [];
  for (const cell of allCells()) {
    const rows = await sql(cell, "SELECT FROM merchant WHERE id = $1", merchantId);
    if (rows.length === 1 && (await fenceIn(cell, merchantId)) === null) open.push(cell.name);
    const fences = await sql(
      cell,
      "SELECT FROM merchant_fence WHERE merchant = $1 AND (overtaken_at IS NOT NULL OR lost_since IS NOT NULL)",
      merchantId,
    );
    if (fences.length > 0) trouble.push(cell.name);
  }
  expect({ open, trouble }).toEqual({ open: ["eu3"], trouble: ["eu2"] });
});
