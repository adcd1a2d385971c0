// A list of the API reads less than a read of each of its intents, and shows the same.
import { afterAll, beforeAll, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import type { Scope } from "@/server/domain/scope";
import { reachEveryMerchant } from "@/server/platform/reach";
import { listShownPayments, listShownPayouts, listShownTopups } from "@/server/services/intents/list-shown";
import { listIntents } from "@/server/services/intents/read";
import { playVariedRun } from "@/server/services/invariants/testing/varied-run";
import { PAYMENTS } from "@/server/services/payments/kind";
import { PAYOUTS } from "@/server/services/payouts/kind";
import { TOPUPS } from "@/server/services/topups/kind";
import { presentPage } from "./list";
import { presentPaymentIntent } from "./present/payment-intent";
import { presentPayoutIntent } from "./present/payout-intent";
import { presentTopupIntent } from "./present/topup-intent";

beforeAll(async () => {
  reachEveryMerchant();
  await playVariedRun();
});
afterAll(disconnect);

const KINDS = [
  {
    table: "payment_intent",
    whole: async (...page: Page) =>
      presentPage(page[0], "/", await listIntents(PAYMENTS, ...page), presentPaymentIntent),
    shown: async (...page: Page) => presentPage(page[0], "/", await listShownPayments(...page), presentPaymentIntent),
  },
  {
    table: "payout_intent",
    whole: async (...page: Page) => presentPage(page[0], "/", await listIntents(PAYOUTS, ...page), presentPayoutIntent),
    shown: async (...page: Page) => presentPage(page[0], "/", await listShownPayouts(...page), presentPayoutIntent),
  },
  {
    table: "topup_intent",
    whole: async (...page: Page) => presentPage(page[0], "/", await listIntents(TOPUPS, ...page), presentTopupIntent),
    shown: async (...page: Page) => presentPage(page[0], "/", await listShownTopups(...page), presentTopupIntent),
  },
];
type Page = Parameters<typeof listShownPayments>;

it.each(KINDS)(
  "every $table is shown as it is when read whole, with the same cursors",
  async ({ table, whole, shown }) => {
    const scopes = await query<Scope>(`SELECT DISTINCT merchant_id AS "merchantId", environment FROM ${table}`);
    let compared = 0;
    for (const scope of scopes)
      for (const limit of [1, 1_000]) {
        const page = await shown(scope, {}, null, limit);
        expect(JSON.stringify(page)).toBe(JSON.stringify(await whole(scope, {}, null, limit)));
        compared += page.data.length;
      }
    const [rows] = await query<{ count: number; statuses: number }>(
      `SELECT count(*)::int AS count, count(DISTINCT status)::int AS statuses FROM ${table}`,
    );
    expect(compared).toBe((rows?.count ?? 0) + scopes.length);
    expect(rows?.statuses).toBeGreaterThan(2);
  },
);
