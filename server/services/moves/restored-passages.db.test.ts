// A cell was restored that a merchant has left and come back to, or has passed: its names still lead to it, or somebody is told.
import { expect, it } from "vitest";
import { handleApiRequest } from "@/server/http/handler";
import { allCells, type Cell, inCell, inEachCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import type { CreatedKey } from "../api-keys/new-key";
import { cellOfMerchant } from "../cells/moved";
import { settleStays } from "../cells/settle-stays";
import { settleAbandonedMoves } from "./abandoned";
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

async function statusOf({ publicKey, secretKey }: CreatedKey): Promise<number> {
  const credentials = Buffer.from(`${publicKey}:${secretKey}`).toString("base64");
  const headers = new Headers({ authorization: `Basic ${credentials}` });
  const readBody = () => Promise.resolve(Buffer.from(""));
  const peer = { address: "192.0.2.1", duplicateHeaders: [] };
  return (await handleApiRequest({ method: "GET", target: "/v1/wallets", headers, peer, readBody })).status;
}

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

it("a merchant whose home was restored to the time in which it was away is in no cell, and somebody is told", async () => {
  const merchantId = await makeOne();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const away = await cells.backUp(main());
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  await cells.pointTo([away]);
  await work();
  expect({ fences: await fencesOf(merchantId), trouble: await inTrouble(merchantId) }).toMatchObject({ trouble: 1 });
});

it("also if it went round", async () => {
  const merchantId = await makeOne();
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  const away = await cells.backUp(main());
  expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  await cells.pointTo([away]);
  await work();
  expect({ fences: await fencesOf(merchantId), trouble: await inTrouble(merchantId) }).toMatchObject({ trouble: 1 });
});

it("a merchant that has passed through a cell that was restored to before is still found by its keys", async () => {
  const { merchant, key } = await makeKey(main());
  const before = await cells.backUp(eu2());
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  expect(await move(merchant.merchantId, eu3())).toMatchObject({ phase: "done" });
  await cells.pointTo([null, before]);
  await work();
  expect(await fenceIn(eu3(), merchant.merchantId)).toBeNull();
  expect([await statusOf(key), await waysOf(merchant.merchantId)]).toEqual([200, ["eu3", "eu3", "eu3"]]);
});

it("a merchant that has come back from a cell that was restored to before is found by keys from there", async () => {
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

it("a merchant that went on after a return is found although its home was restored to its first absence", async () => {
  const { merchant, key } = await makeKey(main());
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  const away = await cells.backUp(main());
  expect(await move(merchant.merchantId, main())).toMatchObject({ phase: "done" });
  expect(await move(merchant.merchantId, eu3())).toMatchObject({ phase: "done" });
  await cells.pointTo([away]);
  await work();
  expect([await statusOf(key), await waysOf(merchant.merchantId)]).toEqual([200, ["eu3", "eu3", "eu3"]]);
});

it("also if it has come and gone several times since", async () => {
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
