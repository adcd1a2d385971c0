// A process remembers in which cell it found a moved key, and the merchant has come back since.
import { expect, it } from "vitest";
import { inCell, inEachCell } from "@/server/platform/cell";
import { makeMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { settleStays } from "../cells/settle-stays";
import { call } from "./testing/api-call";
import { eu2, main, move, threeCells } from "./testing/three-cells";

const cells = threeCells();

it("a key is found in the cell that it leads to although the remembered one was restored and knows nothing of it", async () => {
  const { merchantId, key } = await inCell(main(), async () => {
    const made = await makeMerchant();
    return { merchantId: made.merchantId, key: await createApiKey(made.context, "Key") };
  });
  const status = async () => (await call(key, { method: "GET", path: "/wallets" })).status;
  const before = await cells.backUp(eu2());
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  await expect.poll(status, { timeout: 10_000 }).toBe(200);
  expect(await move(merchantId, main())).toMatchObject({ phase: "done" });
  // No worker repairs the way from eu2 while eu3 does not answer.
  await cells.pointTo([null, before, "postgresql://nobody:x@127.0.0.1:1/none"]);
  for (let round = 0; round < 2; round += 1) await inEachCell(() => settleStays().catch(() => []));
  expect([await status(), await status()]).toEqual([200, 200]);
});
