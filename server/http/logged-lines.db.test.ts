// The log of the service holds no text of a request, a query or a provider's message, whatever the answer was.
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { newId } from "@/server/platform/ids";
import { createLog } from "@/server/platform/log";
import { signedHeaders } from "@/server/psp/http/signature";
import { configureGateways } from "@/server/psp/registry";
import { createApiKey } from "@/server/services/api-keys/create";
import type { CreatedKey } from "@/server/services/api-keys/new-key";
import { applyDueCallbacks } from "@/server/services/callbacks/receive-callback";
import { makeMerchant, type TestMerchant } from "@/server/testing/merchant";
import { handleApiRequest } from "./handler";

const SECRET = "a secret of at least thirty-two characters";
/** Nothing answers there, so that failed calls are logged too. */
const ACME = {
  name: "acme",
  url: "http://127.0.0.1:9",
  secret: SECRET,
  payment_methods: "all",
  environments: ["test"],
};
/** In every text that comes from outside. */
const MARK = "qzxmark";

const shared = globalThis as { sluiceLog?: unknown; sluiceRequestLog?: unknown };
const lines: string[] = [];
let merchant: TestMerchant;
let key: CreatedKey;

beforeAll(async () => {
  const capturing = createLog("trace", { write: (line) => lines.push(line) });
  Object.assign(shared, { sluiceLog: capturing, sluiceRequestLog: capturing });
  configureGateways(JSON.stringify([ACME]));
  merchant = await makeMerchant();
  key = await createApiKey(merchant.context, "Key");
});
afterAll(async () => {
  delete shared.sluiceLog;
  delete shared.sluiceRequestLog;
  configureGateways(null);
  await disconnect();
});

async function send(method: string, target: string, headers: Record<string, string>, text: string): Promise<number> {
  const peer = { address: "192.0.2.1", duplicateHeaders: [] };
  const readBody = () => Promise.resolve(Buffer.from(text));
  return (await handleApiRequest({ method, target, headers: new Headers(headers), peer, readBody })).status;
}

function call(method: string, path: string, body: unknown = null): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${key.publicKey}:${key.secretKey}`).toString("base64")}`;
  const headers = { authorization, "content-type": "application/json", "idempotency-key": newId("request") };
  return send(method, `/v1${path}`, headers, typeof body === "string" ? body : body ? JSON.stringify(body) : "");
}

function callback(body: string, secret = SECRET): Promise<number> {
  const path = "/providers/acme/callbacks";
  return send("POST", path, signedHeaders(secret, { method: "POST", path, body }, new Date()), body);
}

const PAYMENT = {
  amount: "1050",
  currency: "BRL",
  country: "BR",
  payment_method: "BR_PIX",
  merchant_reference: `${MARK}-payment`,
  description: MARK,
  customer: { name: MARK, email: `${MARK}@example.com` },
};
const PAYOUT = {
  amount: "2500",
  currency: "BRL",
  country: "BR",
  merchant_reference: `${MARK}-payout`,
  recipient: { type: "bank_account", account_number: `${MARK}1`, bank_code: "001", holder_name: MARK },
};

it("after requests and callbacks that are accepted, rejected, unreadable and forged", async () => {
  expect(await call("POST", "/payment_intents", PAYMENT)).toBe(201);
  expect(await call("POST", "/payment_intents", { ...PAYMENT, amount: MARK })).toBe(400);
  expect(await call("POST", "/payment_intents", `{"amount": "${MARK}`)).toBe(400);
  expect(await call("POST", "/payout_intents", PAYOUT)).toBe(201);
  expect(await call("GET", `/payment_intents?merchant_reference=${MARK}-payment`)).toBe(200);
  expect(await call("GET", `/payment_intents?cursor=${MARK}`)).toBe(400);
  expect(await send("POST", "/v1/payment_intents", { authorization: `Basic ${MARK}` }, MARK)).toBe(401);

  const [row] = await query<{ reference: string }>(
    "SELECT coalesce(dispatch_reference, id) AS reference FROM payment_intent WHERE merchant_id = $1",
    merchant.merchantId,
  );
  const report = {
    callback_id: newId("event"),
    merchant_id: merchant.merchantId,
    reference: row?.reference,
    provider_reference: MARK,
    status: "succeeded",
    amount: "1050",
    currency: "BRL",
  };
  expect(await callback(JSON.stringify(report))).toBe(200);
  expect(await callback(JSON.stringify({ ...report, callback_id: newId("event"), reference: MARK }))).toBe(200);
  expect(await callback(JSON.stringify({ callback_id: newId("event"), status: MARK }))).toBe(200);
  expect(await callback(MARK)).toBe(200);
  expect(await callback(JSON.stringify({ ...report, reference: MARK }), `${SECRET} of another`)).toBe(401);
  expect(await applyDueCallbacks(100, 30_000)).toBe(4);

  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages.filter((message) => message === "request")).toHaveLength(12);
  expect(messages).toContain("a callback requires an operator");
  expect(lines.filter((line) => line.includes(MARK))).toEqual([]);
});
