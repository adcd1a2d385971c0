// Keys that were created with scopes, networks or an expiry.
import { createKey } from "../support/merchant";
import { paymentBody, payoutBody, unused } from "./bodies";
import { bodyOf, createPayout, refusalOf, walletOf } from "./calls";
import { expect, test } from "./parties";

const OTHER_NETWORK = "203.0.113.0/24";
const LOOPBACK = "127.0.0.0/8,::1/128";

test("a read-only key cannot send money or change anything", async ({ api, ownMerchant, service, apiFor }) => {
  const scopes = "payment_intents:read,payout_intents:read,topup_intents:read,wallets:read,payment_methods:read";
  const readOnly = apiFor(await createKey(service, ownMerchant.id, "test", "--scopes", scopes));
  const { id } = await createPayout(api);
  const before = await walletOf(api, "BRL");
  for (const [path, body] of [
    ["/payout_intents", payoutBody()],
    ["/payment_intents", paymentBody()],
    ["/topup_intents", {}],
    [`/payout_intents/${id}/cancel`, {}],
    ["/webhook_endpoints", { url: "https://example.com/hooks" }],
    ["/sandbox/simulate", { id, outcome: "succeeded" }],
  ] as const)
    expect(refusalOf(await readOnly.post(path, body), 403).code, path).toBe("forbidden");
  expect(await walletOf(api, "BRL")).toEqual(before);
  expect((await readOnly.get(`/payout_intents/${id}`)).status).toBe(200);
});

test("a rejected call without the scope stores no answer under its idempotency key", async ({
  ownMerchant,
  service,
  apiFor,
}) => {
  const limited = apiFor(await createKey(service, ownMerchant.id, "test", "--scopes", "payment_intents:write"));
  const headers = { "idempotency-key": unused("key") };
  expect(refusalOf(await limited.post("/payout_intents", payoutBody(), { headers }), 403).code).toBe("forbidden");
  expect((await limited.post("/payment_intents", paymentBody(), { headers })).status).toBe(201);
});

test("a key used from another network, and an expired key, are unknown keys", async ({
  ownMerchant,
  service,
  apiFor,
  anonymous,
}) => {
  const elsewhere = apiFor(await createKey(service, ownMerchant.id, "test", "--networks", OTHER_NETWORK));
  const expires = new Date(Date.now() + 5_000).toISOString();
  const expiring = apiFor(await createKey(service, ownMerchant.id, "test", "--expires", expires));
  await expect.poll(async () => (await expiring.get("/wallets")).status).toBe(401);
  const unknown = await anonymous.get("/wallets");
  for (const answer of [
    await elsewhere.get("/wallets"),
    await elsewhere.post("/payout_intents", payoutBody()),
    await expiring.get("/wallets"),
  ]) {
    expect(answer.text).toBe(unknown.text);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(unknown.headers.get("www-authenticate"));
  }
  const here = apiFor(await createKey(service, ownMerchant.id, "test", "--networks", LOOPBACK));
  bodyOf(await here.get("/wallets"), 200);
});

test("a key that replaces a limited key has its limits", async ({ ownMerchant, service, apiFor, command }) => {
  const { publicKey } = await createKey(service, ownMerchant.id, "test", "--scopes", "wallets:read");
  const rolled = (await command("keys", "roll", "--public-key", publicKey)) as {
    public_key: string;
    secret_key: string;
  };
  const client = apiFor({ publicKey: rolled.public_key, secretKey: rolled.secret_key });
  bodyOf(await client.get("/wallets"), 200);
  expect(refusalOf(await client.post("/payout_intents", payoutBody()), 403).code).toBe("forbidden");
});
