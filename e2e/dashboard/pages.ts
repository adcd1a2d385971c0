// The list of the dashboard's pages, each with content, for specs that visit all of them.
import { paymentBody, topupBody } from "../rest/bodies";
import type { Api } from "../support/api";
import { createPayout } from "./payouts";

/** The ids of what `fillPages` created. */
export interface FilledIds {
  readonly endpoint: string;
  readonly payout: string;
  readonly cancelledPayout: string;
  readonly payment: string;
  readonly topup: string;
  /** Of the cancelled payout. */
  readonly event: string;
  readonly refusedRequest: string;
}

/** Fills a merchant's test environment, so that every page has something to show. */
export async function fillPages(api: Api): Promise<FilledIds> {
  const created = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ((await api.post(path, body, { headers })).body as { id: string }).id;
  // Nothing listens there, so its deliveries show an attempt without an answer.
  const hook = { url: "http://127.0.0.1:9/hooks", description: "Shop, orders service" };
  const endpoint = await created("/webhook_endpoints", hook);
  const { id: payout } = await createPayout(api, "Padaria Estrela Ltda");
  const { id: cancelledPayout } = await createPayout(api, "Textiles del Norte");
  await api.post(`/payout_intents/${cancelledPayout}/cancel`, { reason: "Duplicate of an earlier payout" });
  const late = await created("/payment_intents", paymentBody());
  for (const outcome of ["expired", "succeeded"]) await api.post("/sandbox/simulate", { id: late, outcome });
  const payment = await created("/payment_intents", paymentBody());
  const topup = await created("/topup_intents", topupBody(), { "idempotency-key": crypto.randomUUID() });
  const refused = await api.post("/payment_intents", { ...paymentBody(), amount: "nothing" });
  const { data: events } = (await api.get(`/events?intent_id=${cancelledPayout}`)).body as { data: { id: string }[] };
  const event = events[0]?.id ?? "";
  const refusedRequest = refused.headers.get("request-id") ?? "";
  return { endpoint, payout, cancelledPayout, payment, topup, event, refusedRequest };
}

/** The path of every page of the dashboard, by a name for titles and files. */
export const PAGES = {
  overview: () => "/test",
  "overview-first-run": () => "/live",
  payouts: () => "/test/payouts",
  "payouts-queue": () => "/test/payouts?queue=mine",
  payout: ({ payout }) => `/test/payouts/${payout}`,
  "payout-cancelled": ({ cancelledPayout }) => `/test/payouts/${cancelledPayout}`,
  recipients: () => "/test/payouts/recipients",
  "payout-upload": () => "/test/payouts/upload",
  payments: () => "/test/payments",
  payment: ({ payment }) => `/test/payments/${payment}`,
  topups: () => "/test/topups",
  topup: ({ topup }) => `/test/topups/${topup}`,
  wallet: () => "/test/wallet",
  "wallet-period": () => "/test/wallet?created_after=2020-01-01T00:00:00.000Z",
  providers: () => "/test/providers",
  "webhook-events": () => "/test/webhooks",
  "webhook-events-list": () => "/test/webhooks/events",
  "webhook-event": ({ event }) => `/test/webhooks/events/${event}`,
  "webhook-endpoints": () => "/test/webhooks/endpoints",
  "webhook-endpoint": ({ endpoint }) => `/test/webhooks/endpoints/${endpoint}`,
  "webhook-endpoints-none": () => "/live/webhooks/endpoints",
  "api-keys": () => "/test/developers/keys",
  "api-logs": () => "/test/developers/logs",
  members: () => "/test/members",
  settings: () => "/test/settings",
  "approval-policy": () => "/test/policies",
  exceptions: () => "/test/exceptions",
  "reconciliation-none": () => "/test/reconciliation",
  "reconciliation-upload": () => "/test/reconciliation/upload",
  account: () => "/test/account",
  notifications: () => "/test/notifications",
  "audit-log": () => "/test/audit",
  empty: () => "/live/payouts",
  "refused-filter": () => "/test/payouts?currency=XXX",
  "api-log": ({ refusedRequest }) => `/test/developers/logs/${refusedRequest}`,
  "nothing-here": () => "/test/payouts/word_00000000000000000000000000",
} as const satisfies Record<string, (ids: FilledIds) => string>;

export type PageName = keyof typeof PAGES;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];
