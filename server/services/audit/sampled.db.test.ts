// Audit entries of events that anybody can repeat.
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { recordUnlessRecent } from "@/server/db/audit/record";
import { disconnect, query } from "@/server/db/client";
import { now } from "@/server/platform/clock";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { authenticate } from "../api-keys/authenticate";
import { createApiKey } from "../api-keys/create";
import { revokeApiKey } from "../api-keys/revoke";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterAll(disconnect);

function entries(action: string) {
  return query<{ after: Record<string, unknown>; address: string | null; object_id: string }>(
    "SELECT after, address, object_id FROM audit_entry WHERE merchant_id = $1 AND action = $2 ORDER BY id",
    merchant.merchantId,
    action,
  );
}

it("a flood of wrong secrets writes one entry per key and cause", async () => {
  const key = await createApiKey(merchant.context, "flooded");
  const wrong = { ...key, secretKey: `sk_test_${"0".repeat(43)}` };
  for (let n = 0; n < 500; n += 1) await authenticate(wrong, "203.0.113.7").catch(() => undefined);
  await vi.waitFor(async () =>
    expect(await entries("api_key.refused")).toEqual([
      { after: { cause: "wrong_secret", times: 1 }, address: "203.0.113.7", object_id: key.id },
    ]),
  );
  await revokeApiKey(merchant.context, key.id);
  for (let n = 0; n < 100; n += 1) await authenticate(key, "203.0.113.7").catch(() => undefined);
  await vi.waitFor(async () => expect(await entries("api_key.refused")).toHaveLength(2));
});

it("processes share the minute of an entry", async () => {
  const { merchantId, context } = merchant;
  const objectId = context.actor.id;
  const event = {
    merchantId,
    environment: null,
    action: "member.act_denied",
    objectId,
    before: null,
    after: { act: "a" },
  };
  const at = now();
  const recordAt = (ms: number) =>
    recordUnlessRecent(event, { act: "a" }, { ...context, at: new Date(at.getTime() + ms) }, 60_000);
  for (const ms of [0, 10, 20]) await recordAt(ms);
  expect(await entries("member.act_denied")).toHaveLength(1);
  await recordAt(120_000);
  expect(await entries("member.act_denied")).toHaveLength(2);
});
