// The list of the dashboard's pages, each with content, for specs that visit all of them.
import { paymentBody, topupBody } from "../rest/bodies";
import type { Api } from "../support/api";
import { createPayout } from "./payouts";

export interface PageToSee {
  readonly name: string;
  readonly path: string;
}

/** Fills a merchant's test environment and returns every page of the dashboard. */
export async function fillPages(api: Api): Promise<PageToSee[]> {
  // Nothing listens there, so its deliveries show an attempt without an answer.
  const endpoint = (
    await api.post("/webhook_endpoints", { url: "http://127.0.0.1:9/hooks", description: "Shop, orders service" })
  ).body as { id: string };
  const payout = await createPayout(api, "Padaria Estrela Ltda");
  const dropped = await createPayout(api, "Textiles del Norte");
  await api.post(`/payout_intents/${dropped.id}/cancel`, { reason: "Duplicate of an earlier payout" });
  const late = (await api.post("/payment_intents", paymentBody())).body as { id: string };
  for (const outcome of ["expired", "succeeded"]) await api.post("/sandbox/simulate", { id: late.id, outcome });
  const payment = (await api.post("/payment_intents", paymentBody())).body as { id: string };
  const topup = (await api.post("/topup_intents", topupBody(), { headers: { "idempotency-key": crypto.randomUUID() } }))
    .body as {
    id: string;
  };
  const refused = await api.post("/payment_intents", { ...paymentBody(), amount: "nothing" });
  return [
    { name: "overview", path: "/test" },
    { name: "overview-first-run", path: "/live" },
    { name: "payouts", path: "/test/payouts" },
    { name: "payouts-queue", path: "/test/payouts?queue=mine" },
    { name: "payout", path: `/test/payouts/${payout.id}` },
    { name: "payout-cancelled", path: `/test/payouts/${dropped.id}` },
    { name: "payments", path: "/test/payments" },
    { name: "payment", path: `/test/payments/${payment.id}` },
    { name: "topups", path: "/test/topups" },
    { name: "topup", path: `/test/topups/${topup.id}` },
    { name: "wallet", path: "/test/wallet" },
    { name: "webhook-events", path: "/test/webhooks" },
    { name: "webhook-endpoints", path: "/test/webhooks/endpoints" },
    { name: "webhook-endpoint", path: `/test/webhooks/endpoints/${endpoint.id}` },
    { name: "webhook-endpoints-none", path: "/live/webhooks/endpoints" },
    { name: "api-keys", path: "/test/developers/keys" },
    { name: "api-logs", path: "/test/developers/logs" },
    { name: "members", path: "/test/members" },
    { name: "approval-policy", path: "/test/policies" },
    { name: "exceptions", path: "/test/exceptions" },
    { name: "reconciliation-none", path: "/test/reconciliation" },
    { name: "account", path: "/test/account" },
    { name: "audit-log", path: "/test/audit" },
    { name: "empty", path: "/live/payouts" },
    { name: "refused-filter", path: "/test/payouts?currency=XXX" },
    { name: "api-log", path: `/test/developers/logs/${refused.headers.get("request-id")}` },
    { name: "nothing-here", path: "/test/payouts/word_00000000000000000000000000" },
  ];
}
