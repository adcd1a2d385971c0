// The API log: stored without secrets and without delaying requests, filtered, bounded, deleted when old.
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { countApiLog, listApiLog } from "@/server/db/api-logs";
import { disconnect, query } from "@/server/db/client";
import type { ApiAnswer } from "@/server/http/exchange";
import { handleApiRequest } from "@/server/http/handler";
import { newId } from "@/server/platform/ids";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import type { CreatedKey } from "../api-keys/new-key";
import { countApiCalls, getApiCall, listApiCalls } from "./list";
import { reapApiLog } from "./reap";
import { droppedApiCalls, flushApiLog, recordApiCall } from "./record";

let merchant: TestMerchant;
let pair: CreatedKey;
beforeEach(async () => {
  merchant = await makeMerchant();
  pair = await createApiKey(merchant.context, "Web shop");
});
afterAll(() => disconnect());

const PEER = { address: "192.0.2.9", duplicateHeaders: [] };
const ACCOUNT = "0001-987654321";

function send(method: string, path: string, body?: object, key = pair): Promise<ApiAnswer> {
  const credentials = Buffer.from(`${key.publicKey}:${key.secretKey}`).toString("base64");
  const headers = new Headers({ authorization: `Basic ${credentials}`, "content-type": "application/json" });
  const readBody = () => Promise.resolve(Buffer.from(body ? JSON.stringify(body) : ""));
  return handleApiRequest({ method, target: `/v1${path}`, headers, peer: PEER, readBody });
}

async function logged(filter = {}) {
  await flushApiLog();
  return (await listApiCalls(merchant.scope, filter, null, 100)).entries;
}

function made(changes: object = {}) {
  recordApiCall({
    scope: merchant.scope,
    apiKeyId: pair.id,
    requestId: newId("request"),
    method: "GET",
    route: "/x",
    path: "/v1/x",
    status: 200,
    ms: 1,
    address: "",
    request: undefined,
    answer: "{}",
    ...changes,
  });
}

const PAYOUT = {
  amount: "100",
  currency: "BRL",
  country: "BR",
  merchant_reference: "payout-1",
  recipient: { type: "bank_account", account_number: ACCOUNT, bank_code: "001", holder_name: "Ana Souza" },
};

describe("a request", () => {
  it("can be found by its Request-Id, with both bodies, without account number, name and secrets", async () => {
    const answer = await send("POST", "/payout_intents?from=till", PAYOUT);
    expect(answer.status).toBe(201);
    const id = answer.headers["request-id"] ?? "";
    await flushApiLog();
    const entry = await getApiCall(merchant.scope, id);
    expect(entry).toMatchObject({
      id,
      method: "POST",
      route: "/payout_intents",
      path: "/v1/payout_intents?from=till",
      status: 201,
      address: PEER.address,
      apiKeyId: pair.id,
      keyName: "Web shop",
    });
    const hidden = { account_number: "[hidden]", bank_code: "001", holder_name: "[hidden]" };
    expect(JSON.parse(entry.requestBody ?? "")).toMatchObject({ amount: "100", recipient: hidden });
    expect(JSON.parse(entry.responseBody ?? "")).toMatchObject({ status: "requires_approval" });
    const [row] = await query<{ text: string }>("SELECT l::text AS text FROM api_log l WHERE id = $1", id);
    for (const secret of [ACCOUNT, "Ana Souza", pair.secretKey]) expect(row?.text).not.toContain(secret);
  });

  it("is logged when rejected for any reason, but not without valid credentials", async () => {
    await send("POST", "/payout_intents", { ...PAYOUT, amount: "nothing" });
    await send("GET", "/nowhere");
    await send("GET", `/payment_intents/${newId("paymentIntent")}`);
    await send("GET", "/payment_intents", undefined, { ...pair, secretKey: `sk_test_${"0".repeat(43)}` });
    const entries = await logged();
    expect(entries.map(({ method, status, route }) => [method, status, route])).toEqual([
      ["GET", 404, "/payment_intents/:id"],
      ["GET", 404, ""],
      ["POST", 400, "/payout_intents"],
    ]);
  });

  it("that reads the log is logged without its answer, which shows other calls", async () => {
    const { headers } = await send("POST", "/payout_intents", PAYOUT);
    await flushApiLog();
    for (const path of ["/api_logs", `/api_logs/${headers["request-id"]}`]) {
      const answer = await send("GET", path);
      expect(answer.body).toContain(headers["request-id"]);
      await flushApiLog();
      const read = await getApiCall(merchant.scope, answer.headers["request-id"] ?? "");
      expect(read).toMatchObject({ path: `/v1${path}`, status: 200, responseBody: null });
    }
  });

  it("belongs to one merchant and environment", async () => {
    const other = await makeMerchant();
    made();
    const [entry] = await logged();
    await expect(getApiCall(other.scope, entry?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
    const live = { ...merchant.scope, environment: "live" as const };
    await expect(getApiCall(live, entry?.id ?? "")).rejects.toMatchObject({ code: "not_found" });
    expect((await listApiCalls(live, {}, null, 10)).entries).toEqual([]);
  });
});

describe("the list", () => {
  it("is filtered by status class, method, key, request and time", async () => {
    made({ status: 201, method: "POST" });
    made({ status: 404, apiKeyId: newId("apiKey") });
    made({ status: 503 });
    const entries = await logged();
    const statuses = async (filter: object) => (await logged(filter)).map(({ status }) => status);
    expect(await statuses({})).toEqual([503, 404, 201]);
    expect(await statuses({ statusClass: 4 })).toEqual([404]);
    expect(await statuses({ method: "POST" })).toEqual([201]);
    expect(await statuses({ method: { isNot: "GET" } })).toEqual([201]);
    expect(await statuses({ apiKeyId: pair.id })).toEqual([503, 201]);
    expect(await statuses({ id: entries[1]?.id })).toEqual([404]);
    const at = entries[0]?.createdAt ?? new Date();
    expect(await statuses({ createdAfter: new Date(at.getTime() + 1) })).toEqual([]);
    expect(await statuses({ createdBefore: new Date(at.getTime() + 1) })).toEqual([503, 404, 201]);
    expect(await statuses({ createdBefore: new Date(at.getTime() - 3_600_000) })).toEqual([]);
  });

  it("shows the requests about one object: its creation, reads and acts, also rejected ones", async () => {
    const created = await send("POST", "/payout_intents", PAYOUT);
    const { id } = JSON.parse(created.body ?? "{}") as { id: string };
    await send("GET", `/payout_intents/${id}`);
    await send("GET", "/payout_intents");
    await send("POST", `/payout_intents/${id}/cancel`, {});
    await send("POST", `/payout_intents/${id}/cancel`, { reason: 7 });
    const about = async (filter: object) =>
      (await logged(filter)).map(({ method, status, objectId }) => [method, status, objectId]);
    expect(await about({ objectId: id })).toEqual([
      ["POST", 400, id],
      ["POST", 202, id],
      ["GET", 200, id],
      ["POST", 201, id],
    ]);
    expect(await about({ objectId: id, statusClass: 4 })).toEqual([["POST", 400, id]]);
    const [list] = (await logged({}))
      .filter(({ path }) => path === "/v1/payout_intents")
      .filter(({ method }) => method === "GET");
    expect(list?.objectId).toBeNull();
    const other = await makeMerchant();
    expect((await listApiCalls(other.scope, { objectId: id }, null, 10)).entries).toEqual([]);
  });

  it("returns every request once, a page at a time, even if few rows pass the filter", async () => {
    for (let n = 0; n < 12; n += 1) made({ status: n % 4 === 0 ? 500 : 200 });
    await flushApiLog();
    for (const [filter, expected] of [
      [{}, 12],
      [{ statusClass: 5 }, 3],
    ] as const) {
      const seen: string[] = [];
      let after = null;
      do {
        const page = await listApiLog(merchant.scope, filter, after, 2, 5);
        seen.push(...page.entries.map(({ id }) => id));
        after = page.next;
      } while (after);
      expect([new Set(seen).size, seen.length]).toEqual([expected, expected]);
    }
  });
});

describe("the cost", () => {
  it("is bounded: excess requests are counted and dropped without an error", async () => {
    await flushApiLog();
    const before = droppedApiCalls();
    for (let n = 0; n < 1_200; n += 1) made();
    expect(droppedApiCalls() - before).toBe(200);
    await flushApiLog();
    const [row] = await query<{ count: number }>(
      "SELECT count(*)::int AS count FROM api_log WHERE merchant_id = $1",
      merchant.merchantId,
    );
    expect(row?.count).toBe(1_000);
  });

  it("is stored without a flush", async () => {
    made({ status: 418 });
    await vi.waitFor(async () => {
      const rows = await query("SELECT 1 FROM api_log WHERE merchant_id = $1 AND status = 418", merchant.merchantId);
      expect(rows).toHaveLength(1);
    }, 30_000);
  });

  it("ends by deleting old requests", async () => {
    while ((await reapApiLog()) > 0);
    await query(
      `INSERT INTO api_log SELECT $1, 'test', id, 'key_1', 'GET', '', '/v1/x', 200, 1, '', NULL, NULL, at, NULL
       FROM (VALUES ('req_old', now() - interval '8 days'), ('req_new', now() - interval '6 days')) AS v(id, at)`,
      merchant.merchantId,
    );
    expect(await reapApiLog()).toBe(1);
    const left = await query("SELECT id FROM api_log WHERE merchant_id = $1", merchant.merchantId);
    expect(left).toEqual([{ id: "req_new" }]);
  });
});

describe("counts by class", () => {
  const countsOf = async (filter = {}) => {
    await flushApiLog();
    const { byClass, isComplete } = await countApiCalls(merchant.scope, filter);
    return [Object.fromEntries(byClass), isComplete];
  };

  it("are of the other filters, whatever class the filter names", async () => {
    for (const status of [200, 201, 404, 500]) made({ status });
    made({ status: 422, method: "POST" });
    expect(await countsOf()).toEqual([{ 2: 2, 4: 2, 5: 1 }, true]);
    expect(await countsOf({ statusClass: 5 })).toEqual([{ 2: 2, 4: 2, 5: 1 }, true]);
    expect(await countsOf({ method: "POST" })).toEqual([{ 2: 0, 4: 1, 5: 0 }, true]);
    expect(await countsOf({ createdBefore: new Date(0) })).toEqual([{}, true]);
    const other = await makeMerchant();
    expect((await countApiCalls(other.scope, {})).byClass.size).toBe(0);
  });

  it("say so if only the newest requests were counted", async () => {
    for (const status of [500, 200, 200, 404]) made({ status });
    await flushApiLog();
    const counted = await countApiLog(merchant.scope, {}, 3);
    expect([[...counted.byClass.values()].reduce((sum, one) => sum + one, 0), counted.isComplete]).toEqual([3, false]);
    expect((await countApiLog(merchant.scope, {}, 5)).isComplete).toBe(true);
  });
});
