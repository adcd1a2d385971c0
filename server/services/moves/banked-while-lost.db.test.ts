// A merchant that has booked a bank transfer by hand is lost by a restore of its cell, until a later backup is restored.
import { expect, it } from "vitest";
import { inCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { settleStaysAtStart } from "../cells/settle-stays";
import {
  confirmTransfer,
  importLines,
  inBank,
  makeBankBatch,
  proposeTransfer,
  TRANSFERRED,
  uploadPart,
} from "./testing/bank-batch";
import { eu2, main, move, threeCells } from "./testing/three-cells";

const cells = threeCells();

it.each([
  ["an import", "service_unavailable"],
  ["another entry", "validation_failed"],
])("%s does not book it meanwhile", async (what, code) => {
  // The merchant has uploaded a bank line that settles another one's payment.
  const batch = await makeBankBatch(main());
  const { paid, bank, fee, bankLineId } = batch;
  const own = await makeBankBatch(main());
  const ours = await inCell(main(), () => makeMerchant());
  await uploadPart({ ...own, bank, bankLineId });
  await importLines(paid, bank);
  const one = await proposeTransfer(ours.merchantId, batch, main());
  const other = await proposeTransfer(own.merchantId, batch, main(), own.merchantId);
  const before = await inBank();
  expect(await confirmTransfer(other)).toMatchObject({ state: "confirmed" });
  const early = await cells.backUp(eu2());
  await move(own.merchantId, eu2());
  // The wrong backup is restored.
  await cells.pointTo([null, early]);
  for (let look = 0; look < 2; look += 1) await settleStaysAtStart();
  const tried =
    what === "an import"
      ? await importLines(paid, bank, fee).catch((error: unknown) => error)
      : await confirmTransfer(one);
  expect(tried).toMatchObject({ code });
  // Then the right one.
  await cells.pointTo();
  await settleStaysAtStart();
  expect(before - (await inBank())).toBe(TRANSFERRED);
});
