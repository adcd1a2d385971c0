// The whole authorization matrix again, while no statement asks for the merchant: row-level security alone must hold.
import { expect, it } from "vitest";
import { query } from "@/server/db/client";
import { leaveOutMerchantConditions } from "@/server/db/testing/merchant-conditions";
import { withinMerchant } from "@/server/platform/reach";

const leftOut = leaveOutMerchantConditions();
await import("./authorization.db.test");

it("leaves conditions out that would otherwise have kept merchants apart", async () => {
  expect(leftOut()).toBeGreaterThan(1_000);
  const [all] = await query<{ merchants: number }>("SELECT count(*)::int AS merchants FROM merchant");
  expect(all?.merchants).toBeGreaterThanOrEqual(2);
  const members = "SELECT DISTINCT merchant_id FROM member WHERE merchant_id = $1";
  const [someone] = await query<{ id: string }>("SELECT id FROM merchant");
  const id = someone?.id ?? "";
  expect((await query(members, id)).length).toBeGreaterThanOrEqual(2);
  expect(await withinMerchant(id, () => query(members, id))).toEqual([{ merchant_id: id }]);
});
