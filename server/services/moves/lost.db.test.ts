// A merchant that no cell has: the one to which it moved was restored to a time before.
import { expect, it } from "vitest";
import { inCell, inEachCell } from "@/server/platform/cell";
import { makeMember, makeMerchant, payment } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { settleStays } from "../cells/settle-stays";
import { withoutIdempotency } from "../idempotency/completion";
import { getPayerView } from "../payer/get-payer-view";
import { createPaymentIntent } from "../payments/create";
import { signIn } from "../sign-in/sign-in";
import { call } from "./testing/api-call";
import { eu2, main, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();

it("answers 503 to its key, its payers and its people, as docs/operating.md says", async () => {
  const before = await cells.backUp(eu2());
  const { merchantId, key, id } = await inCell(main(), async () => {
    const merchant = await makeMerchant();
    await makeMember(merchant.merchantId, "lost@shop.example", "owner");
    const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
    return { merchantId: merchant.merchantId, key: await createApiKey(merchant.context, "Key"), id: intent.id };
  });
  expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
  expect((await call(key, { method: "GET", path: "/wallets" })).status).toBe(200);
  await cells.pointTo([null, before]);
  for (let round = 0; round < 3; round += 1) await inEachCell(settleStays);
  const lost = "SELECT FROM merchant_fence WHERE merchant = $1 AND lost_since IS NOT NULL";
  expect(await sql(main(), lost, merchantId)).toHaveLength(1);
  await expect.poll(async () => (await call(key, { method: "GET", path: "/wallets" })).status).toBe(503);
  await expect(getPayerView(id)).rejects.toMatchObject({ code: "service_unavailable" });
  const person = { email: "lost@shop.example", password: "correct horse battery", address: "192.0.2.9" };
  await expect(signIn(person)).rejects.toMatchObject({ code: "service_unavailable" });
});
