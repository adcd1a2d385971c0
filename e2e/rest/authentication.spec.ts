// Credentials (interface §5) and the order in which a request is checked.
import { createKey } from "../support/merchant";
import { paymentBody, topupBody, unused } from "./bodies";
import { bodyOf, createPayout, refusalOf, sendText } from "./calls";
import { basic, expect, test } from "./parties";

const encode = (pair: string) => Buffer.from(pair).toString("base64");
const flipLast = (text: string) => text.slice(0, -1) + (text.endsWith("A") ? "B" : "A");

test.describe("401", () => {
  test("every failure gets the same bytes and the challenge, on every operation", async ({
    ownMerchant,
    stranger,
    withAuthorization,
  }) => {
    const { test: ours, live } = ownMerchant.keys;
    const theirs = stranger.keys.test;
    const headers: readonly (readonly [string, string | null])[] = [
      ["no header", null],
      ["an empty header", ""],
      ["the scheme alone", "Basic"],
      ["Bearer", `Bearer ${ours.secretKey}`],
      ["a bare secret", ours.secretKey],
      ["bad base64", "Basic %%%"],
      ["base64url", `Basic ${encode("pk_test_??>>:x").replaceAll("+", "-").replaceAll("/", "_")}-_`],
      ["no colon", `Basic ${encode(ours.publicKey + ours.secretKey)}`],
      ["an empty secret", basic({ ...ours, secretKey: "" })],
      ["an empty public key", basic({ ...ours, publicKey: "" })],
      ["secret first", basic({ publicKey: ours.secretKey, secretKey: ours.publicKey })],
      ["the public key as password", basic({ ...ours, secretKey: ours.publicKey })],
      ["a wrong last character", basic({ ...ours, secretKey: flipLast(ours.secretKey) })],
      ["an unknown public key", basic({ ...ours, publicKey: flipLast(ours.publicKey) })],
      ["live public key, test secret", basic({ publicKey: live.publicKey, secretKey: ours.secretKey })],
      ["test public key, live secret", basic({ publicKey: ours.publicKey, secretKey: live.secretKey })],
      ["another merchant's secret", basic({ ...ours, secretKey: theirs.secretKey })],
      ["the secret and more", basic({ ...ours, secretKey: `${ours.secretKey}x` })],
      ["the public key in capitals", basic({ ...ours, publicKey: ours.publicKey.toUpperCase() })],
    ];
    const bodies = new Set<string>();
    for (const [what, authorization] of headers) {
      const client = withAuthorization(authorization);
      for (const answer of [
        await client.get("/payment_intents"),
        await client.get("/payout_intents/word_01h455vb4pex5vsknk084sn02q"),
        await client.post("/payment_intents", paymentBody()),
      ]) {
        expect(answer.status, what).toBe(401);
        expect(answer.headers.get("www-authenticate"), what).toBe('Basic realm="merchant-api", charset="UTF-8"');
        bodies.add(answer.text);
      }
    }
    expect([...bodies]).toEqual([
      JSON.stringify({ error: { code: "unauthorized", message: "The API credentials are missing or invalid." } }),
    ]);
  });

  test("only the event catalogue works without credentials", async ({ anonymous, document }) => {
    const paths = Object.entries(document.paths);
    expect(paths.length).toBeGreaterThan(8);
    for (const [path, item] of paths) {
      const target = path.replace(/\{\w+\}/g, "dord_01h455vb4pex5vsknk084sn02q");
      for (const method of Object.keys(item)) {
        const answer = method === "post" ? await anonymous.post(target, {}) : await anonymous.get(target);
        expect(answer.status, `${method} ${path}`).toBe(path === "/webhook_events" ? 200 : 401);
      }
    }
  });

  test("a revoked key is rejected, and the merchant's other keys still work", async ({
    api,
    ownMerchant,
    service,
    command,
    apiFor,
  }) => {
    const key = await createKey(service, ownMerchant.id, "test");
    const client = apiFor(key);
    expect((await client.get("/wallets")).status).toBe(200);
    await command("keys", "revoke", "--public-key", key.publicKey);
    await expect.poll(async () => (await client.get("/wallets")).status).toBe(401);
    expect(refusalOf(await client.get("/wallets"), 401).code).toBe("unauthorized");
    expect((await api.get("/wallets")).status).toBe(200);
  });
});

test.describe("200", () => {
  test("the scheme is read in any case, and extra spaces before the credentials are allowed", async ({
    ownMerchant,
    withAuthorization,
  }) => {
    const credentials = basic(ownMerchant.keys.test).slice("Basic ".length);
    for (const authorization of [`basic ${credentials}`, `BASIC ${credentials}`, `Basic   ${credentials}`]) {
      expect((await withAuthorization(authorization).get("/wallets")).status).toBe(200);
    }
  });

  test("the public key alone determines the environment of what is created and read", async ({ api, liveApi }) => {
    const { id, environment } = await createPayout(api);
    expect(environment).toBe("test");
    const answer = await liveApi.get(`/payout_intents/${id}?environment=test`, { headers: { environment: "test" } });
    expect(answer.status).toBe(404);
  });
});

test.describe("the order of checks", () => {
  test("credentials come before everything: route, method, body, key", async ({ anonymous }) => {
    const headers = { "content-type": "text/plain", "idempotency-key": "é" };
    for (const path of ["/no_such_route", "/payment_intents", "/webhook_events"]) {
      expect(
        (await sendText(anonymous, path, "{", { headers: { ...headers, "idempotency-key": "\u00e9" } })).status,
      ).toBe(401);
    }
  });

  test("the route comes before the body", async ({ api }) => {
    const headers = { "content-type": "text/plain" };
    expect(refusalOf(await sendText(api, "/no_such_route", "{", { headers }), 404).code).toBe("not_found");
    expect(refusalOf(await sendText(api, "/wallets", "{", { headers }), 405).code).toBe("method_not_allowed");
  });

  test("the route comes before the scope, and the scope before the body and the key", async ({
    api,
    ownMerchant,
    service,
    apiFor,
  }) => {
    const headers = { "content-type": "text/plain", "idempotency-key": "\u00e9" };
    const limited = apiFor(await createKey(service, ownMerchant.id, "test", "--scopes", "wallets:read"));
    expect((await limited.get("/wallets")).status).toBe(200);
    expect(refusalOf(await sendText(limited, "/no_such_route", "{", { headers }), 404).code).toBe("not_found");
    expect(refusalOf(await sendText(limited, "/payout_intents", "{", { headers }), 403)).toEqual({
      code: "forbidden",
      message: "This API key lacks the scope payout_intents:write.",
    });
    const { id } = await createPayout(api);
    for (const known of [id, "word_01h455vb4pex5vsknk084sn02q"])
      expect(refusalOf(await limited.get(`/payout_intents/${known}`), 403).code).toBe("forbidden");
  });

  test("the media type comes before the JSON, the JSON before the key, the key before the fields", async ({ api }) => {
    const badKey = { "idempotency-key": "ключ".replace(/./gu, "\u00e9") };
    const typed = await sendText(api, "/payment_intents", "{", {
      headers: { ...badKey, "content-type": "text/plain" },
    });
    expect(refusalOf(typed, 400).message).toMatch(/^Content-Type /);
    const parsed = await sendText(api, "/payment_intents", "{", { headers: badKey });
    expect(refusalOf(parsed, 400).message).toMatch(/^body /);
    const keyed = await sendText(api, "/payment_intents", "{}", { headers: badKey });
    expect(refusalOf(keyed, 400).message).toMatch(/^Idempotency-Key /);
    expect(refusalOf(await api.post("/payment_intents", {}), 400).message).toMatch(/^amount /);
  });

  test("a used key comes before the fields, and before the lookup of the object", async ({ api }) => {
    const headers = { "idempotency-key": unused("key") };
    bodyOf(await api.post("/payment_intents", paymentBody(), { headers }), 201);
    expect(refusalOf(await api.post("/payment_intents", {}, { headers }), 409).code).toBe("idempotency_conflict");
    const path = "/payout_intents/word_01h455vb4pex5vsknk084sn02q/cancel";
    expect(refusalOf(await api.post(path, {}, { headers }), 409).code).toBe("idempotency_conflict");
  });

  test("fields come before the lookup, the lookup before the state", async ({ api, strangerApi }) => {
    const absent = "/payout_intents/word_01h455vb4pex5vsknk084sn02q/cancel";
    expect(refusalOf(await api.post(absent, { reason: 7 }), 400).message).toMatch(/^reason /);
    expect(refusalOf(await api.post(absent, {}), 404).code).toBe("not_found");
    const { id } = await createPayout(api);
    await api.post(`/payout_intents/${id}/cancel`, {});
    expect(refusalOf(await strangerApi.post(`/payout_intents/${id}/cancel`, {}), 404).code).toBe("not_found");
    expect(refusalOf(await api.post(`/payout_intents/${id}/cancel`, {}), 422).code).toBe("approval_required");
  });

  test("a missing required key is reported before the fields are read", async ({ api }) => {
    const message = refusalOf(await api.post("/topup_intents", {}), 400).message;
    expect(message).toMatch(/^Idempotency-Key /);
    const headers = { "idempotency-key": unused("key") };
    const body = { ...topupBody(), country: "XX" };
    expect(refusalOf(await api.post("/topup_intents", body, { headers }), 400).message).toMatch(/^country /);
  });
});
