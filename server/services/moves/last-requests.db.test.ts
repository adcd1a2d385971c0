// Requests that were answered right before their merchant left are in the API log of the new cell.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { inCell } from "@/server/platform/cell";
import { flushApiLog } from "@/server/services/api-logs/record";
import { makeMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { callForId } from "./testing/api-call";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

threeCells();

it("each request that was answered 200 is in the API log", async () => {
  const { merchant, key } = await inCell(main(), async () => {
    const made = await makeMerchant();
    return { merchant: made, key: await createApiKey(made.context, "Key") };
  });
  const answered: string[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const { status, requestId } = await callForId(key, { method: "GET", path: "/wallets" });
      if (status === 200) answered.push(requestId);
      await sleep(10);
    }
  };
  const clients = client();
  expect(await move(merchant.merchantId, eu2())).toMatchObject({ phase: "done" });
  isOver = true;
  await clients;
  await flushApiLog();
  const rows = await sql(eu2(), "SELECT id FROM api_log WHERE merchant_id = $1", merchant.merchantId);
  const logged = new Set(rows.map(({ id }) => id));
  expect(answered.length).toBeGreaterThan(10);
  expect(answered.filter((id) => !logged.has(id))).toEqual([]);
});
