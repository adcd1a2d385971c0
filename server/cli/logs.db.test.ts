// Tests that the operator finds out at the command line what was done with a leaked key, in bounded pages.
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { createApiKey } from "@/server/services/api-keys/create";
import type { CreatedKey } from "@/server/services/api-keys/new-key";
import { flushApiLog, recordApiCall } from "@/server/services/api-logs/record";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { operatorContext } from "@/server/services/merchants/operator";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { makeMember, makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { runCommand } from "./testing/run-command";

const MEMBER = "eva@shop.example";
const ADDRESS = "203.0.113.66";

let shop: TestMerchant;
let other: TestMerchant;
let leaked: CreatedKey;
let sound: CreatedKey;
let live: CreatedKey;
let foreign: CreatedKey;
let payoutId: string;
let requestId: string;

interface Printed {
  readonly data: readonly Record<string, unknown>[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

function list(noun: "audit" | "api-logs", ...more: string[]): Promise<Printed> {
  const place = ["--merchant", shop.merchantId, "--environment", "test"];
  return runCommand(noun, "list", ...place, ...more) as Promise<unknown> as Promise<Printed>;
}

function callBy(key: CreatedKey, scope: TestMerchant["scope"], path: string, objectId: string | null = null): string {
  const id = newId("request");
  recordApiCall({
    scope,
    apiKeyId: key.id,
    requestId: id,
    method: "GET",
    route: path,
    path: `/v1${path}`,
    status: 200,
    ms: 1,
    address: ADDRESS,
    request: undefined,
    answer: JSON.stringify(objectId === null ? {} : { object: "payout_intent", id: objectId }),
  });
  return id;
}

beforeAll(async () => {
  [shop, other] = [await makeMerchant(), await makeMerchant()];
  leaked = await createApiKey(shop.context, "Leaked");
  sound = await createApiKey(shop.context, "Sound");
  live = await createApiKey(operatorContext(shop.merchantId, "live"), "Live");
  foreign = await createApiKey(other.context, "Foreign");
  await makeMember(shop.merchantId, MEMBER, "approver");
  requestId = newId("request");
  const recipient = { type: "bank_account", accountNumber: "99887766", bankCode: "001", holderName: "Ana" } as const;
  const command = { amount: "500", currency: "BRL", country: "BR", merchantReference: "p-1", recipient } as const;
  const actor = { type: "api_key", id: leaked.id } as const;
  const context = { scope: shop.scope, actor, requestId, address: ADDRESS };
  payoutId = (await createPayoutIntent(context, command, withoutIdempotency())).intent.id;
  callBy(sound, shop.scope, "/wallets");
  for (let count = 0; count < 3; count += 1) callBy(leaked, shop.scope, "/payout_intents");
  callBy(live, { merchantId: shop.merchantId, environment: "live" }, "/events");
  callBy(foreign, other.scope, "/events");
  await flushApiLog();
});
afterAll(() => disconnect());

it.each([["public key", () => leaked.publicKey] as const, ["id", () => leaked.id] as const])(
  "audit list shows what a key changed, by its %s, with address and request",
  async (_, key) => {
    const { data, has_more } = await list("audit", "--key", key());
    expect(has_more).toBe(false);
    expect(data).toMatchObject([
      {
        environment: "test",
        action: "payout_intent.create",
        object_id: payoutId,
        actor: { type: "api_key", id: leaked.id, name: "Leaked" },
        before: null,
        request_id: requestId,
        address: ADDRESS,
      },
    ]);
    expect(data[0]?.after).toMatchObject({ status: expect.any(String) as string });
    expect(JSON.stringify(data)).not.toContain("99887766");
  },
);

it("api-logs list shows every request of a key and no other, newest first, of this environment alone", async () => {
  const { data } = await list("api-logs", "--key", leaked.publicKey);
  expect(data.map(({ path }) => path)).toEqual(Array(3).fill("/v1/payout_intents"));
  expect(data[0]).toMatchObject({ api_key: { id: leaked.id, name: "Leaked" }, address: ADDRESS, status: 200 });
  expect((await list("api-logs")).data.map(({ path }) => path)).toEqual([
    ...Array(3).fill("/v1/payout_intents"),
    "/v1/wallets",
  ]);
});

it.each(["audit", "api-logs"] as const)("%s list gives each entry once, a page at a time", async (noun) => {
  const all = (await list(noun)).data.map(({ id }) => id);
  expect(all.length).toBeGreaterThan(3);
  const found: unknown[] = [];
  for (let cursor: string[] = [], pages = 0; pages < all.length; pages += 1) {
    const page = await list(noun, "--limit", "2", ...cursor);
    expect(page.data.length).toBeLessThanOrEqual(2);
    found.push(...page.data.map(({ id }) => id));
    if (page.next_cursor === null) break;
    expect(page.has_more).toBe(true);
    cursor = ["--cursor", page.next_cursor];
  }
  expect(found).toEqual(all);
});

it.each(["audit", "api-logs"] as const)("%s list keeps to the times that are given", async (noun) => {
  const before = await list(noun, "--to", "2020-01-01T00:00:00Z");
  const after = await list(noun, "--from", "2020-01-01T00:00:00Z");
  expect(before.data).toEqual([]);
  expect(after.data).toEqual((await list(noun)).data);
});

it("audit list keeps to one object, and to one member", async () => {
  expect((await list("audit", "--object", payoutId)).data.map(({ object_id }) => object_id)).toEqual([payoutId]);
  expect((await list("audit", "--member", MEMBER)).data).toEqual([]);
});

it("api-logs show prints one request of the environment with its bodies", async () => {
  const id = String((await list("api-logs")).data[0]?.id);
  const place = ["--merchant", shop.merchantId, "--id", id, "--environment"];
  expect(await runCommand("api-logs", "show", ...place, "test")).toMatchObject({ id, response_body: "{}" });
  expect(await runCommand("api-logs", "show", ...place, "live")).toMatchObject({ code: "not_found" });
});

it.each(["audit", "api-logs"] as const)("%s list rejects what would look like nothing there", async (noun) => {
  for (const key of [foreign.publicKey, foreign.id, live.publicKey, live.id, "pk_test_nobody", "key_nobody", ""]) {
    expect(await list(noun, "--key", key)).toMatchObject({ code: "not_found" });
  }
  const { next_cursor } = await list(noun, "--limit", "1");
  const refused = [
    ["--limit", "0"],
    ["--limit", "1001"],
    ["--limit", "1e2"],
    ["--limit", "ten"],
    ["--from", "yesterday"],
    ["--cursor", "nonsense"],
  ];
  for (const words of refused) expect(await list(noun, ...words)).toMatchObject({ code: "validation_failed" });
  const elsewhere = ["--merchant", other.merchantId, "--environment", "test", "--cursor", String(next_cursor)];
  expect(await runCommand(noun, "list", ...elsewhere)).toMatchObject({ code: "validation_failed" });
});

it("audit list takes a key or a member, and a known one", async () => {
  expect(await list("audit", "--member", "nobody@shop.example")).toMatchObject({ code: "not_found" });
  const both = ["--member", MEMBER, "--key", leaked.id];
  expect(await list("audit", ...both)).toMatchObject({ code: "validation_failed" });
});
