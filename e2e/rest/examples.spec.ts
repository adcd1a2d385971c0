// The examples of the OpenAPI document are real: this spec makes the calls, and compares. `UPDATE_EXAMPLES=1` rewrites them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer, Api, CallOptions } from "../support/api";
import { createKey } from "../support/merchant";
import { startReceiver } from "../support/receiver";
import { PROJECT_ROOT } from "../support/service-process";
import { createExamples } from "./examples/plausible";
import { expect, test } from "./parties";
import { patch, remove, untilDelivery } from "./webhook-calls";

const FILE = join(PROJECT_ROOT, "server/http/examples.generated.json");

interface OperationExamples {
  request?: unknown;
  /** By status. */
  answers: Record<string, unknown>;
}

const PAYMENT = {
  amount: "1050",
  currency: "BRL",
  country: "BR",
  payment_method: "BR_PIX",
  merchant_reference: "order-1001",
  customer: { name: "Ana Souza", email: "ana@example.com", reference: "customer-77" },
};
const PAYOUT = {
  amount: "250",
  currency: "BRL",
  country: "BR",
  merchant_reference: "payout-2001",
  recipient: { type: "bank_account", account_number: "000123456789", bank_code: "001", holder_name: "Ana Souza" },
};
const TOPUP = {
  destination: { amount: "10000", currency: "BRL" },
  source: { type: "provider_gateway", currency: "USDT", network: "tron" },
  country: "BR",
  merchant_reference: "topup-3001",
};
const KEYED = { headers: { "idempotency-key": "7f0a7d6e-3c1b-4d52-9a53-0a3f5a9c1e21" } };

test("each example of the document is what the service answers", async ({
  api,
  anonymous,
  apiFor,
  command,
  ownMerchant,
  service,
  strangerApi,
}) => {
  const receiver = await startReceiver();
  const exampleOf = createExamples(receiver.url);
  const operations: Record<string, OperationExamples> = {};
  const errors: Record<string, unknown> = {};
  const note = <Body>(id: string, answer: Answer, request?: unknown): Body => {
    expect(answer.status, `${id}: ${answer.text}`).toBeLessThan(400);
    operations[id] ??= { answers: {} };
    operations[id].answers[String(answer.status)] ??= exampleOf(answer.text);
    if (request !== undefined) operations[id].request ??= exampleOf(JSON.stringify(request));
    return answer.body as Body;
  };
  const refused = (code: string, answer: Answer) => {
    expect(answer.body, code).toMatchObject({ error: { code } });
    errors[code] = exampleOf(answer.text);
  };
  const post = async (id: string, path: string, body: object, options?: CallOptions) =>
    note<{ id: string }>(id, await api.post(path, body, options), body);
  const get = async <Body = { id: string }>(id: string, path: string, by: Api = api) =>
    note<Body>(id, await by.get(path));
  try {
    await get("listWebhookEvents", "/webhook_events", anonymous);
    await get("listPaymentMethods", "/payment_methods");

    const payment = await post("createPaymentIntent", "/payment_intents", PAYMENT);
    await post("createPaymentIntent", "/payment_intents", PAYMENT);
    await get("getPaymentIntent", `/payment_intents/${payment.id}`);
    const endpoint = await post("createWebhookEndpoint", "/webhook_endpoints", {
      url: `${receiver.url}/hooks`,
      description: "The shop",
      event_types: ["payment_intent.succeeded"],
    });
    await post("simulate", "/sandbox/simulate", { id: payment.id, outcome: "succeeded" });
    await get("listPaymentIntents", "/payment_intents?status=succeeded&limit=2");
    await get("listWallets", "/wallets");

    const payout = await post("createPayoutIntent", "/payout_intents", PAYOUT);
    await post("createPayoutIntent", "/payout_intents", PAYOUT);
    await get("getPayoutIntent", `/payout_intents/${payout.id}`);
    await post("cancelPayoutIntent", `/payout_intents/${payout.id}/cancel`, { reason: "duplicate invoice" });
    await get("listPayoutIntents", "/payout_intents");

    const topup = await post("createTopupIntent", "/topup_intents", TOPUP, KEYED);
    await post("createTopupIntent", "/topup_intents", TOPUP, { headers: { "idempotency-key": "another" } });
    await get("getTopupIntent", `/topup_intents/${topup.id}`);
    await get("listTopupIntents", "/topup_intents");

    const { data } = await get<{ data: { id: string }[] }>("listEvents", `/events?intent_id=${payment.id}`);
    const event = data[0]?.id ?? "";
    await get("getEvent", `/events/${event}`);
    const delivery = await untilDelivery(api, event, ({ state }) => state === "delivered");
    await get("listEventDeliveries", `/events/${event}/deliveries`);
    await post("resendDelivery", `/deliveries/${delivery.id}/resend`, {});

    const place = `/webhook_endpoints/${endpoint.id}`;
    await get("getWebhookEndpoint", place);
    await get("listWebhookEndpoints", "/webhook_endpoints");
    const paused = { state: "paused" };
    note("updateWebhookEndpoint", await patch(api, place, paused), paused);
    await post("rotateWebhookSecret", `${place}/rotate_secret`, {});
    await post("testWebhookEndpoint", `${place}/test`, { type: "payment_intent.succeeded" });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    await post("replayToWebhookEndpoint", `${place}/replay`, { since });
    note("deleteWebhookEndpoint", await remove(api, place));

    const rejected = await api.post("/payment_intents", { ...PAYMENT, amount: "10.50" });
    refused("validation_failed", rejected);
    const call = `/api_logs/${rejected.headers.get("request-id")}`;
    await expect.poll(async () => (await api.get(call)).status).toBe(200);
    await get("getApiLog", call);
    await get("listApiLogs", "/api_logs?method=POST&status_class=4");
    refused("unauthorized", await anonymous.get("/wallets"));
    refused("not_found", await strangerApi.get(`/payment_intents/${payment.id}`));
    refused("method_not_allowed", await api.send({ method: "PUT", path: "/wallets" }));
    refused("idempotency_conflict", await api.post("/topup_intents", { ...TOPUP, country: "MX" }, KEYED));
    refused("duplicate_merchant_reference", await api.post("/payment_intents", { ...PAYMENT, amount: "999" }));
    refused("payload_too_large", await api.post("/payment_intents", { ...PAYMENT, text: "x".repeat(70_000) }));
    refused("approval_required", await api.post(`/payout_intents/${payout.id}/cancel`, {}));
    refused(
      "insufficient_balance",
      await api.post("/payout_intents", { ...PAYOUT, amount: "900000000000", merchant_reference: "payout-2002" }),
    );
    const reader = apiFor(await createKey(service, ownMerchant.id, "test", "--scopes", "wallets:read"));
    refused("forbidden", await reader.get("/payment_intents"));
    const limits = ["--currency", "BRL", "--amount", "100"];
    await command("payout-limits", "set", "--merchant", ownMerchant.id, "--environment", "test", ...limits);
    refused(
      "payout_limit_exceeded",
      await api.post("/payout_intents", { ...PAYOUT, merchant_reference: "payout-2003" }),
    );
    // The keys above have expired then.
    await get("getSandboxClock", "/sandbox/clock");
    await post("advanceSandboxClock", "/sandbox/clock", { advance_seconds: 90_000 });
    await command("merchants", "suspend", "--merchant", ownMerchant.id, "--reason", "An example.");
    let suspended: Answer | undefined;
    await expect
      .poll(async () => {
        suspended = await api.post("/payment_intents", { ...PAYMENT, merchant_reference: "order-1002" });
        return suspended.status;
      })
      .toBe(403);
    refused("merchant_suspended", suspended as Answer);

    const played = `${JSON.stringify({ operations, errors }, null, 2)}\n`;
    if (process.env.UPDATE_EXAMPLES) writeFileSync(FILE, played);
    expect(JSON.parse(readFileSync(FILE, "utf8"))).toEqual(JSON.parse(played));
  } finally {
    await receiver.stop();
  }
});
