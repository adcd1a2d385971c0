// The API log over REST: what keys have called, filtered, a page at a time, and by Request-Id with redacted bodies.
import type { ApiLogResource, ApiLogWithBodies } from "@/server/contract/api-logs";
import type { Page } from "@/server/contract/lists";
import type { Api } from "../support/api";
import { createKey } from "../support/merchant";
import { payoutBody } from "./bodies";
import { bodyOf, refusalOf } from "./calls";
import { expect, test } from "./parties";

const list = async (api: Api, query = "") => bodyOf<Page<ApiLogResource>>(await api.get(`/api_logs${query}`), 200);

/** Waits until the log has the call: it is stored a moment after its answer. */
async function untilLogged(api: Api, id: string): Promise<ApiLogWithBodies> {
  await expect.poll(async () => (await api.get(`/api_logs/${id}`)).status).toBe(200);
  return bodyOf<ApiLogWithBodies>(await api.get(`/api_logs/${id}`), 200);
}

test("a call can be read by its Request-Id, without what is secret or personal", async ({ api, ownMerchant }) => {
  const body = payoutBody();
  const answer = await api.post("/payout_intents?from=till", body);
  const call = await untilLogged(api, answer.headers.get("request-id") ?? "");
  expect(call).toMatchObject({
    object: "api_log",
    environment: "test",
    method: "POST",
    route: "/payout_intents",
    path: "/v1/payout_intents?from=till",
    status: 201,
    api_key: { id: expect.stringMatching(/^key_/) },
  });
  expect(call.request_body).toContain(`"merchant_reference":"${body.merchant_reference}"`);
  expect(call.response_body).toContain('"status":"requires_approval"');
  for (const secret of [body.recipient.account_number, body.recipient.holder_name, ownMerchant.keys.test.secretKey])
    expect(JSON.stringify(call)).not.toContain(secret);
});

test("the list has every call once, newest first, over pages and through filters", async ({ api }) => {
  const paths = ["/wallets", "/nowhere", "/payment_methods", "/payment_intents/dord_1", "/payout_intents"];
  let last = "";
  for (const path of paths) last = (await api.get(path)).headers.get("request-id") ?? "";
  await untilLogged(api, last);

  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Page<ApiLogResource> = await list(api, `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
    expect(page.has_more).toBe(page.next_cursor !== null);
    seen.push(...page.data.filter(({ path }) => !path.startsWith("/v1/api_logs")).map(({ path }) => path));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(paths.map((path) => `/v1${path}`).reverse());

  const failed = await list(api, "?status_class=4&method=GET");
  expect(failed.data.map(({ path, route, status }) => [path, route, status])).toEqual(
    expect.arrayContaining([
      ["/v1/payment_intents/dord_1", "/payment_intents/:id", 404],
      ["/v1/nowhere", null, 404],
    ]),
  );
  expect(failed.data.every(({ status }) => status >= 400 && status < 500)).toBe(true);
  const earlier = await list(api, "?created_before=2026-01-01T00:00:00Z");
  expect(earlier).toEqual({ data: [], has_more: false, next_cursor: null });
});

test("nobody else's calls are visible, and a limited key needs the scope", async ({
  api,
  apiFor,
  liveApi,
  ownMerchant,
  service,
  strangerApi,
}) => {
  await api.get("/payment_methods");
  const id = (await api.get("/wallets")).headers.get("request-id") ?? "";
  await untilLogged(api, id);
  for (const other of [liveApi, strangerApi]) {
    expect(refusalOf(await other.get(`/api_logs/${id}`), 404).code).toBe("not_found");
    expect((await list(other)).data.map((call) => call.id)).not.toContain(id);
  }
  const cursor = (await list(api, "?limit=1")).next_cursor;
  const foreign = refusalOf(await strangerApi.get(`/api_logs?cursor=${cursor}`), 400);
  expect(foreign.message).toContain("is not a cursor of this list");
  const without = apiFor(await createKey(service, ownMerchant.id, "test", "--scopes", "events:read,wallets:read"));
  expect(refusalOf(await without.get("/api_logs"), 403).message).toContain("api_logs:read");
  const reader = apiFor(await createKey(service, ownMerchant.id, "test", "--scopes", "api_logs:read"));
  expect((await list(reader)).data.map((call) => call.id)).toContain(id);
});

test("a filter with another value is rejected by name", async ({ api }) => {
  for (const [query, name] of [
    ["status_class=3", "status_class"],
    ["method=PUT", "method"],
    ["limit=0", "limit"],
    ["created_after=yesterday", "created_after"],
    ["cursor=x", "cursor"],
  ] as const)
    expect(refusalOf(await api.get(`/api_logs?${query}`), 400).message, query).toContain(name);
});
