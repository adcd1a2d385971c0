// The operations on webhook endpoints, all extensions, by status code.
import type { EndpointResource } from "@/server/contract/webhooks";
import { CLOCKS_DIFFER_MS } from "../support/clocks";
import { OVERLAPPING } from "../support/recorded-answers";
import { unused } from "./bodies";
import { bodyOf, refusalOf, statusesOf } from "./calls";
import { expect, test } from "./parties";
import { createEndpoint, ENDPOINTS, type EndpointWithSecret, PUBLIC_URL, patch, remove } from "./webhook-calls";

const keyed = (key: string) => ({ headers: { "idempotency-key": key } });

test.describe("success", () => {
  test("an endpoint is created with its secret, which no read shows again", async ({ api }) => {
    const types = ["payment_intent.succeeded", "payout_intent.failed"];
    const created = await createEndpoint(api, PUBLIC_URL, { description: "Till", event_types: types });
    expect(created).toMatchObject({ url: PUBLIC_URL, description: "Till", event_types: types, state: "enabled" });
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret, ...shown } = created;
    expect(bodyOf<EndpointResource>(await api.get(`${ENDPOINTS}/${created.id}`), 200)).toEqual(shown);
    const list = await api.get(ENDPOINTS);
    expect(bodyOf<{ data: object[] }>(list, 200).data).toEqual([shown]);
    expect(list.text).not.toContain(secret);
  });

  test("the list is newest first, page by page", async ({ api }) => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await createEndpoint(api, `${PUBLIC_URL}/${n}`)).id);
    const first = bodyOf<{ data: EndpointResource[]; next_cursor: string }>(await api.get(`${ENDPOINTS}?limit=2`), 200);
    const second = bodyOf<{ data: EndpointResource[]; has_more: boolean }>(
      await api.get(`${ENDPOINTS}?limit=2&cursor=${first.next_cursor}`),
      200,
    );
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
    expect(second.has_more).toBe(false);
  });

  test("it can be changed in part, paused and enabled; each change is audited, an empty one is not", async ({
    api,
    database,
  }) => {
    const { id } = await createEndpoint(api, PUBLIC_URL);
    const path = `${ENDPOINTS}/${id}`;
    for (const [change, shown] of [
      [{ description: "New" }, { description: "New", url: PUBLIC_URL, state: "enabled" }],
      [{ state: "paused" }, { description: "New", state: "paused" }],
      [
        { state: "enabled", event_types: ["payment_intent.failed"] },
        { state: "enabled", missed: null },
      ],
      [{ event_types: null }, { event_types: null }],
      [{ event_types: null }, { event_types: null }],
      [{}, { event_types: null }],
    ] as const) {
      expect(bodyOf(await patch(api, path, change), 200)).toMatchObject({ id, ...shown });
    }
    const audited = await database.query<{ action: string; actor_type: string }>(
      "SELECT action, actor_type FROM audit_entry WHERE object_id = $1 ORDER BY created_at, id",
      id,
    );
    expect(audited.map(({ action }) => action)).toEqual([
      "webhook_endpoint.create",
      ...Array.from({ length: 4 }, () => "webhook_endpoint.update"),
    ]);
    expect(new Set(audited.map(({ actor_type }) => actor_type))).toEqual(new Set(["api_key"]));
  });

  test("a deleted one is gone, and another can be created in its place", async ({ api }) => {
    const endpoints = await Promise.all(
      Array.from({ length: 10 }, (_, n) => createEndpoint(api, `${PUBLIC_URL}/${n}`)),
    );
    expect(refusalOf(await api.post(ENDPOINTS, { url: PUBLIC_URL }), 400).message).toContain(
      "already has 10 endpoints",
    );
    const path = `${ENDPOINTS}/${endpoints[4]?.id}`;
    expect(bodyOf(await remove(api, path), 200)).toEqual({
      object: "webhook_endpoint",
      id: endpoints[4]?.id,
      deleted: true,
    });
    for (const answer of [await api.get(path), await patch(api, path, {}), await remove(api, path)])
      expect(refusalOf(answer, 404).code).toBe("not_found");
    await createEndpoint(api, PUBLIC_URL);
  });

  test("a rotated secret is new, and the former one signs for another 24 hours", async ({ api }) => {
    const { id, secret } = await createEndpoint(api, PUBLIC_URL);
    const before = Date.now();
    const rotated = bodyOf<EndpointWithSecret>(await api.post(`${ENDPOINTS}/${id}/rotate_secret`), 200);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    const until = Date.parse(rotated.previous_secret_expires_at ?? "");
    expect(until).toBeGreaterThanOrEqual(before + 86_400_000 - CLOCKS_DIFFER_MS);
    expect(until).toBeLessThanOrEqual(Date.now() + 86_400_000 + CLOCKS_DIFFER_MS);
  });
});

test.describe("secrets at rest", () => {
  test("are nowhere in the database in plain text: not in the endpoint, nor in the stored answer or the audit log", async ({
    api,
    ownMerchant,
    database,
  }) => {
    const created = await api.post(ENDPOINTS, { url: PUBLIC_URL }, keyed(unused("key")));
    const { id, secret } = bodyOf<EndpointWithSecret>(created, 201);
    const rotated = await api.post(`${ENDPOINTS}/${id}/rotate_secret`, {}, keyed(unused("key")));
    const secrets = [secret, bodyOf<EndpointWithSecret>(rotated, 200).secret];
    for (const table of ["webhook_endpoint", "idempotency_seal", "audit_entry"]) {
      const [row] = await database.query<{ text: string }>(
        `SELECT string_agg(t::text, ' ') AS text FROM ${table} t WHERE merchant_id = $1`,
        ownMerchant.id,
      );
      expect(row?.text.length, table).toBeGreaterThan(100);
      for (const one of secrets) expect(row?.text.includes(one.slice("whsec_".length)), table).toBe(false);
    }
  });
});

test.describe("one Idempotency-Key", () => {
  test("creates one endpoint, and replays the answer with its secret byte for byte", async ({ api }) => {
    const key = keyed(unused("key"));
    const first = await api.post(ENDPOINTS, { url: PUBLIC_URL }, key);
    const second = await api.post(ENDPOINTS, { url: PUBLIC_URL }, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(refusalOf(await api.post(ENDPOINTS, { url: `${PUBLIC_URL}/2` }, key), 409).code).toBe(
      "idempotency_conflict",
    );
    expect(bodyOf<{ data: object[] }>(await api.get(ENDPOINTS), 200).data).toHaveLength(1);
  });

  test("rotates, changes and deletes once; a key used with another method is a conflict", async ({ api }) => {
    const { id } = await createEndpoint(api, PUBLIC_URL);
    const path = `${ENDPOINTS}/${id}`;
    const key = keyed(unused("key"));
    const rotations = [
      await api.post(`${path}/rotate_secret`, {}, key),
      await api.post(`${path}/rotate_secret`, {}, key),
    ];
    expect(rotations[1]?.text).toBe(rotations[0]?.text);
    const change = keyed(unused("key"));
    const changes = [
      await patch(api, path, { state: "paused" }, change),
      await patch(api, path, { state: "paused" }, change),
    ];
    expect(changes[1]?.text).toBe(changes[0]?.text);
    expect(refusalOf(await remove(api, path, change), 409).code).toBe("idempotency_conflict");
    const end = keyed(unused("key"));
    const removals = [await remove(api, path, end), await remove(api, path, end)];
    expect(removals.map(({ status }) => status)).toEqual([200, 200]);
    expect(removals[1]?.text).toBe(removals[0]?.text);
  });
});

test.describe("limits and scope", () => {
  test("of 24 creations at once exactly ten are accepted", { tag: OVERLAPPING }, async ({ api }) => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => api.post(ENDPOINTS, { url: `${PUBLIC_URL}/${n}` })),
    );
    expect(statusesOf(answers)).toEqual([
      ...Array.from({ length: 10 }, () => 201),
      ...Array.from({ length: 14 }, () => 400),
    ]);
  });

  test("another merchant's and another environment's endpoint are not found, by any operation", async ({
    api,
    liveApi,
    strangerApi,
  }) => {
    const { id } = await createEndpoint(api, PUBLIC_URL);
    const path = `${ENDPOINTS}/${id}`;
    const unknown = await api.get(`${ENDPOINTS}/we_01h455vb4pex5vsknk084sn02q`);
    for (const other of [liveApi, strangerApi]) {
      const answers = [
        await other.get(path),
        await patch(other, path, { state: "paused" }),
        await remove(other, path),
        await other.post(`${path}/rotate_secret`),
        await other.post(`${path}/test`),
        await other.post(`${path}/replay`, { since: new Date().toISOString() }),
      ];
      for (const answer of answers) expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    }
    expect(bodyOf<EndpointResource>(await api.get(path), 200).state).toBe("enabled");
    await remove(api, path);
  });
});

test.describe("400", () => {
  for (const [what, body, field] of [
    ["no URL", {}, "url"],
    ["an empty one", { url: "" }, "url"],
    ["what is none", { url: "shop.example" }, "url"],
    ["another scheme", { url: "ftp://93.184.215.14/" }, "url"],
    ["credentials in it", { url: "https://a:b@93.184.215.14/" }, "url"],
    ["a private address", { url: "https://10.0.0.1/" }, "url"],
    ["a link-local one", { url: "https://169.254.169.254/latest" }, "url"],
    ["a private one in disguise", { url: "https://0x0a000001/" }, "url"],
    ["a private IPv6 one", { url: "https://[fd00::1]/" }, "url"],
    ["a name that leads nowhere", { url: "https://nowhere.invalid/" }, "url"],
    ["another port", { url: "https://93.184.215.14:22/" }, "url"],
    ["a long description", { url: PUBLIC_URL, description: "x".repeat(256) }, "description"],
    ["no event types", { url: PUBLIC_URL, event_types: [] }, "event_types"],
    ["an unknown type", { url: PUBLIC_URL, event_types: ["topup_intent.succeeded"] }, "event_types"],
    [
      "a type twice",
      { url: PUBLIC_URL, event_types: ["payment_intent.failed", "payment_intent.failed"] },
      "event_types",
    ],
  ] as const) {
    test(`${what} is rejected, naming ${field}`, async ({ api }) => {
      const { code, message } = refusalOf(await api.post(ENDPOINTS, body), 400);
      expect(code).toBe("validation_failed");
      expect(message.startsWith(field), message).toBe(true);
    });
  }

  test("plain http and loopback are rejected for live, even if the operator allows loopback for test", async ({
    api,
    liveApi,
  }) => {
    for (const url of ["http://93.184.215.14/", "http://127.0.0.1:9/", "https://127.0.0.1/", "https://localhost/"])
      expect(refusalOf(await liveApi.post(ENDPOINTS, { url }), 400).message).toMatch(/^url /);
    const { id } = await createEndpoint(api, "http://127.0.0.1:9/");
    const path = `${ENDPOINTS}/${id}`;
    expect(refusalOf(await patch(api, path, { url: "http://10.0.0.1/" }), 400).message).toMatch(/^url /);
    expect(refusalOf(await patch(api, path, { state: "disabled" }), 400).message).toMatch(/^state /);
    expect(refusalOf(await api.post(`${path}/test`, { type: "x" }), 400).message).toMatch(/^type /);
    expect(refusalOf(await api.post(`${path}/replay`, {}), 400).message).toMatch(/^since /);
    expect(refusalOf(await api.post(`${path}/replay`, { since: "2020-01-01T00:00:00Z" }), 400).message).toMatch(
      /^since /,
    );
    await remove(api, path);
  });
});
