// A merchant has left a cell and come back, or has passed through it, and the cell is restored to an earlier time. The merchant's
// names must still lead to it. If no cell has the merchant, an alert must fire.
import { expect, it } from "vitest";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import type { CreatedKey } from "../api-keys/new-key";
import { cellOfMerchant } from "../cells/moved";
import { settleStays } from "../cells/settle-stays";
import { settleAbandonedMoves } from "./abandoned";
import { call } from "./testing/api-call";
import { fenceIn } from "./testing/rows";
import { eu2, eu3, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

const fencesOf = (merchantId: string) => Promise.all(allCells().map((cell) => fenceIn(cell, merchantId)));
async function work() {
  for (let round = 0; round < 4; round += 1) {
    await inEachCell(settleStays);
    await inEachCell(settleAbandonedMoves);
  }
}
const TROUBLE = `SELECT merchant FROM merchant_fence WHERE merchant = $1
  AND (lost_since IS NOT NULL OR overtaken_at IS NOT NULL OR state IN ('closing', 'leaving', 'ready'))`;
const inTrouble = async (merchantId: string) =>
  (await Promise.all(allCells().map((cell) => sql(cell, TROUBLE, merchantId)))).flat().length;

const statusOf = async (key: CreatedKey) => (await call(key, { method: "GET", path: "/wallets" })).status;

/** The cell to which the merchant's own fences lead from each cell. Fences of others may lead a key there by chance. */
async function waysOf(merchantId: string): Promise<string[]> {
  const ways = allCells().map((cell) => cellOfMerchant(cell, merchantId).catch(() => null));
  return (await Promise.all(ways)).map((cell) => cell?.name ?? "nowhere");
}

async function makeKey(cell: Cell) {
  return inCell(cell, async () => {
    const merchant = await makeMerchant();
    return { merchant, key: await createApiKey(merchant.context, "Key") };
  });
}

it("an alert fires if the merchant's cell is restored to a time when the merchant was in another cell", async () => {
  const merchantId = await makeOne();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const away = await cells.backUp(main());
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  await cells.pointTo([away]);
  await work();
  expect({ fences: await fencesOf(merchantId), trouble: await inTrouble(merchantId) }).toMatchObject({ trouble: 1 });
});

it("an alert also fires if the merchant came back through a third cell", async () => {
  const merchantId = await makeOne();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const away = await cells.backUp(main());
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  await cells.pointTo([away]);
  await work();
  expect({ fences: await fencesOf(merchantId), trouble: await inTrouble(merchantId) }).toMatchObject({ trouble: 1 });
});

it("keys still work after a restore of a cell that the merchant has passed through", async () => {
  const { merchant, key } = await makeKey(main());
  const before = await cells.backUp(eu2());
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await move(merchant.merchantId, eu3())).toMatchObject({ phase: "done" });
  await cells.pointTo([null, before]);
  await work();
  expect(await fenceIn(eu3(), merchant.merchantId)).toBeNull();
  expect([await statusOf(key), await waysOf(merchant.merchantId)]).toEqual([200, ["eu3", "eu3", "eu3"]]);
});

it("keys from a cell still work after its restore to a time before the merchant came", async () => {
  const { merchant } = await makeKey(main());
  const before = await cells.backUp(eu2());
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  const key = await inCell(eu2(), () => createApiKey(merchant.context, "Key of eu2"));
  expect(await move(merchant.merchantId, main())).toMatchObject({ phase: "done" });
  await cells.pointTo([null, before]);
  await work();
  // It was never in eu3.
  expect([await statusOf(key), await waysOf(merchant.merchantId)]).toEqual([200, ["main", "main", "eu3"]]);
});

it("keys still work if the restored cell and the next one lead to each other", async () => {
  const { merchant, key } = await makeKey(main());
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  const away = await cells.backUp(main());
  expect(await move(merchant.merchantId, main())).toMatchObject({ phase: "done" });
  expect(await move(merchant.merchantId, eu3())).toMatchObject({ phase: "done" });
  await cells.pointTo([away]);
  await work();
  expect([await statusOf(key), await waysOf(merchant.merchantId)]).toEqual([200, ["eu3", "eu3", "eu3"]]);
});

it("keys from a cell also work if the merchant has moved several times since", async () => {
  const { merchant } = await makeKey(main());
  const before = await cells.backUp(eu2());
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  const key = await inCell(eu2(), () => createApiKey(merchant.context, "Key of eu2"));
  for (const cell of [main(), eu3(), main()])
    expect(await move(merchant.merchantId, cell)).toMatchObject({ phase: "done" });
  await cells.pointTo([null, before]);
  await work();
  expect([await statusOf(key), await waysOf(merchant.merchantId)]).toEqual([200, ["main", "main", "main"]]);
});
