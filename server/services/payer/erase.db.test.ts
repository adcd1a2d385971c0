// A payer's personal data goes, and the books and the audit log stay verifiable.
import { afterAll, beforeEach, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import { handleApiRequest } from "@/server/http/handler";
import { newId } from "@/server/platform/ids";
import { requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { flushApiLog, recordApiCall } from "../api-logs/record";
import { linkAuditEntries } from "../audit/link-entries";
import { verifyAuditChains } from "../audit/verify-chains";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { erasePayerData } from "./erase";

const PAYER = { name: "Zenobia Quist", email: "Zenobia@example.com", reference: 'customer "7"' };

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterAll(disconnect);

const linkAll = async () => {
  while ((await linkAuditEntries()).isBehind);
};

async function pay(customer: typeof PAYER | null, outcome: string | null = "succeeded") {
  const requestId = newId("request");
  const context = { ...merchant.context, requestId };
  const { intent } = await createPaymentIntent(context, payment({ customer }), withoutIdempotency());
  logRequest(requestId, customer);
  return outcome === null ? intent : (await simulate(merchant.context, intent.id, outcome)).intent;
}

function logRequest(requestId: string, customer: typeof PAYER | null): void {
  const call = { scope: merchant.scope, apiKeyId: merchant.context.actor.id, requestId, method: "POST" };
  const place = { route: "/payment_intents", path: "/v1/payment_intents", status: 201, ms: 1, address: "" };
  recordApiCall({ ...call, ...place, request: { amount: "1050", customer }, answer: "{}" });
}

/** Creates and ends a payment through the API, with everything that is stored about a request. */
async function payOverRest(): Promise<void> {
  const { publicKey, secretKey } = await createApiKey(merchant.context, "Shop");
  const { merchantReference: merchant_reference, paymentMethod: payment_method, amount, currency, country } = payment();
  const sums = { amount, currency, country };
  const body = Buffer.from(JSON.stringify({ ...sums, merchant_reference, payment_method, customer: PAYER }));
  const authorization = `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString("base64")}`;
  const json = { authorization, "content-type": "application/json", "idempotency-key": "once" };
  const request = { method: "POST", target: "/v1/payment_intents", headers: new Headers(json) };
  const peer = { address: "192.0.2.9", duplicateHeaders: [] };
  const answer = await handleApiRequest({ ...request, peer, readBody: () => Promise.resolve(body) });
  expect(answer.status).toBe(201);
  await simulate(merchant.context, (JSON.parse(String(answer.body)) as { id: string }).id, "succeeded");
}

/** Every column of every table with a value that contains one of the texts. */
async function columnsWith(texts: readonly string[]): Promise<string[]> {
  const columns = await query<{ name: string; column: string }>(
    `SELECT table_name AS name, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type IN ('text', 'ARRAY', 'json', 'jsonb')`,
  );
  const found: string[] = [];
  for (const { name, column } of columns) {
    const where = `EXISTS (SELECT FROM unnest($1::text[]) AS t WHERE strpos(lower("${column}"::text), lower(t)) > 0)`;
    if ((await query(`SELECT FROM ${name} WHERE ${where} LIMIT 1`, texts)).length > 0) found.push(`${name}.${column}`);
  }
  return found.sort();
}

const TEXTS = ["Zenobia", 'customer \\"7'];

async function requireVerified(): Promise<void> {
  await linkAll();
  const [report] = await verifyAuditChains(merchant.merchantId);
  expect(report?.broken).toBeNull();
  await requireInvariants();
}

it("nothing in the database contains the payer's data afterwards, and books and audit log stay verifiable", async () => {
  for (const outcome of ["succeeded", "declined", "expired"]) await pay(PAYER, outcome);
  logRequest(newId("request"), PAYER);
  await payOverRest();
  await flushApiLog();
  const balance = await balanceOf(merchant);
  expect(await columnsWith(TEXTS)).toEqual(["api_log.request_body", "payment_intent.customer"]);
  const { merchantId } = merchant;
  const erased = await erasePayerData({ merchantId, reference: PAYER.reference, email: null });
  expect(erased).toEqual({ payments: 4, open: 0, requests: 5 });
  expect(await columnsWith(TEXTS)).toEqual([]);
  expect(await balanceOf(merchant)).toEqual(balance);
  await requireVerified();
});

it("an erasure by email finds every spelling, leaves other payers alone, and is audited as the operator's", async () => {
  const own = await pay(PAYER);
  const other = await pay({ ...PAYER, email: "other@example.com", reference: "another" });
  const { merchantId } = merchant;
  expect(await erasePayerData({ merchantId, reference: null, email: "zenobia@EXAMPLE.com" })).toMatchObject({
    payments: 1,
  });
  const left = await query("SELECT id FROM payment_intent WHERE merchant_id = $1 AND customer IS NOT NULL", merchantId);
  expect(left).toEqual([{ id: other.id }]);
  const entries = await query(
    "SELECT actor_type, actor_id, object_id FROM audit_entry WHERE merchant_id = $1 AND action = 'payer.erase'",
    merchantId,
  );
  expect(entries).toEqual([{ actor_type: "operator", actor_id: "cli", object_id: own.id }]);
});

it("an open payment keeps its payer until it has ended", async () => {
  const { id } = await pay(PAYER, null);
  const payer = { merchantId: merchant.merchantId, reference: PAYER.reference, email: null };
  expect(await erasePayerData(payer)).toMatchObject({ payments: 0, open: 1 });
  await simulate(merchant.context, id, "succeeded");
  expect(await erasePayerData(payer)).toMatchObject({ payments: 1, open: 0 });
  expect(await erasePayerData(payer)).toMatchObject({ payments: 0, open: 0 });
  await requireVerified();
});

it("another merchant's payments of the payer stay", async () => {
  await pay(PAYER);
  const { merchantId } = await makeMerchant();
  expect(await erasePayerData({ merchantId, reference: PAYER.reference, email: null })).toEqual({
    payments: 0,
    open: 0,
    requests: 0,
  });
});

it("a payer removed in the database, without the command, is found", async () => {
  const { id } = await pay(PAYER);
  await query("UPDATE payment_intent SET customer = NULL WHERE id = $1", id);
  await linkAll();
  const [report] = await verifyAuditChains(merchant.merchantId);
  expect(report?.broken).toMatchObject({ fault: "row_altered", object: `payment_intent ${id}` });
});

it("the row of an ended payment takes nothing but the erasure", async () => {
  const { id } = await pay(PAYER);
  const update = (assignment: string) =>
    query(`UPDATE payment_intent SET ${assignment} WHERE id = $1`, id).then(
      () => "changed",
      (error: { constraint?: string }) => error.constraint,
    );
  const rule = "payment_intent_terminal_is_final";
  expect(await update(`customer = '{"name": "Eve"}'`)).toBe(rule);
  expect(await update("customer = NULL, failure_message = 'x'")).toBe(rule);
  expect(await update("customer = NULL, revision = revision + 1")).toBe(rule);
  expect(await update("customer = NULL")).toBe("changed");
  expect(await update("customer = NULL")).toBe(rule);
});
