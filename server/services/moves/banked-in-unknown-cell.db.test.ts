// A bank transfer that was booked by hand for a merchant that has moved to a cell which this process does not know yet.
import { afterEach, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { inCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { confirmTransfer, importLines, inBank, makeBankBatch, proposeTransfer } from "./testing/bank-batch";
import { eu2, eu3, main, move, threeCells } from "./testing/three-cells";

const cells = threeCells();
afterEach(() => cells.pointTo());

it("is not booked again", async () => {
  const all = [main(), eu2(), eu3()];
  const batch = await makeBankBatch(eu2());
  const { paid, bank, fee } = batch;
  const { merchantId } = await inCell(main(), () => makeMerchant());
  await importLines(paid, bank);
  expect(await confirmTransfer(await proposeTransfer(merchantId, batch, main()))).toMatchObject({ state: "confirmed" });
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
  const before = await inBank(all);
  await disconnect();
  configureCells([{ ...SECOND_CELL, url: cells.own[1] }]);
  await importLines(paid, bank, fee).catch(() => undefined);
  expect(await inBank(all)).toBe(before);
});
