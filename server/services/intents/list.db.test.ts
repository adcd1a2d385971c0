// Lists: every row once, in either order, whatever is inserted meanwhile, and never another's.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { IntentFilter } from "@/server/db/intents/store";
import type { PagePosition } from "@/server/db/list-start";
import type { ListOrder } from "@/server/domain/list-order";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { requireInvariantsExcept } from "@/server/testing/invariants";
import { makeMerchant, payment, payout, type TestMerchant } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import type { Page } from "../page";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { listIntents } from "./read";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant(["BRL", "MXN"]);
});
afterEach(() =>
  requireInvariantsExcept(
    "history_is_contiguous",
    "history_is_legal",
    "history_ends_at_the_present",
    "audit_entry_is_linked_or_queued",
  ),
);

/** Copies of one payment, all of one millisecond, in bare SQL. */
async function fill(count: number): Promise<void> {
  const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
  await query(
    `INSERT INTO payment_intent
     SELECT (jsonb_populate_record(p, jsonb_build_object(
       'id', 'dord_' || lpad(n::text, 26, '0'), 'merchant_reference', 'copy-' || n, 'revision', 0))).*
     FROM payment_intent p, generate_series(1, $2::int) n WHERE p.id = $1`,
    intent.id,
    count,
  );
  await query(
    `INSERT INTO audit_entry (merchant_id, id, environment, actor_type, actor_id, action, object_id, created_at)
     SELECT merchant_id, 'aud_' || id, environment, 'operator', 'test', 'payment_intent.create', id, created_at
     FROM payment_intent p WHERE merchant_id = $1 AND merchant_reference LIKE 'copy-%'`,
    merchant.merchantId,
  );
}

async function walk(
  limit: number,
  order: ListOrder,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  let after: PagePosition | null = null;
  for (;;) {
    const page: Page<PaymentIntent> = await listIntents(PAYMENTS, merchant.scope, {}, after, limit, order);
    seen.push(...page.rows.map(({ id }) => id));
    after = page.rows.at(-1) ?? null;
    if (!page.hasMore) return seen;
    await between();
  }
}

const ORDERS = ["newest_first", "oldest_first"] as const;

describe.each(ORDERS)("a walk %s", (order) => {
  it("of 2,000 rows of one millisecond, with rows inserted meanwhile, meets each of them exactly once", async () => {
    await fill(1_999);
    const rows = await query<{ id: string }>(
      "SELECT id FROM payment_intent WHERE merchant_id = $1",
      merchant.merchantId,
    );
    let inserted = 0;
    const seen = await walk(97, order, async () => {
      inserted += 1;
      if (inserted <= 10)
        await createPaymentIntent(merchant.context, payment({ amount: "1002" }), withoutIdempotency());
    });
    expect(inserted).toBeGreaterThanOrEqual(20);
    // What is made while a list is walked stands at its newer end: behind whoever comes from there, before the others.
    const met = order === "newest_first" ? 2_000 : 2_010;
    expect(seen).toHaveLength(met);
    expect(new Set(seen).size).toBe(met);
    expect(new Set(seen.slice(0, 2_000))).toEqual(new Set(rows.map(({ id }) => id)));
  });

  it.each([1, 2, 3, 5, 6, 7])("of six rows in pages of %i ends without an empty page", async (limit) => {
    await fill(5);
    const seen = await walk(limit, order);
    expect(seen).toHaveLength(6);
    const ascending = [...seen].sort();
    expect(seen).toEqual(order === "newest_first" ? ascending.reverse() : ascending);
  });
});

describe("a filter", () => {
  const list = async (filter: IntentFilter, order?: ListOrder) =>
    (await listIntents(PAYOUTS, merchant.scope, filter, null, 100, order)).rows.map(
      ({ merchantReference }) => merchantReference,
    );

  beforeEach(async () => {
    for (const [merchantReference, changes] of [
      ["a", {}],
      ["b", { currency: "MXN", country: "MX" }],
      ["c", { country: "US" }],
    ] as const) {
      await createPayoutIntent(merchant.context, payout({ merchantReference, ...changes }), withoutIdempotency());
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  });

  it("shows what fits, newest first", async () => {
    expect(await list({})).toEqual(["c", "b", "a"]);
    expect(await list({ country: "MX" })).toEqual(["b"]);
    expect(await list({ equals: { currency: "BRL" } })).toEqual(["c", "a"]);
    expect(await list({ merchantReference: "a" })).toEqual(["a"]);
    expect(await list({ merchantReference: "%" })).toEqual([]);
    expect(await list({ statuses: ["cancelled"] })).toEqual([]);
    expect(await list({ statuses: ["cancelled", "requires_approval"] })).toEqual(["c", "b", "a"]);
    expect(await list({ country: "US", equals: { currency: "MXN" } })).toEqual([]);
  });

  it("shows the same, oldest first, where that is asked for", async () => {
    expect(await list({}, "oldest_first")).toEqual(["a", "b", "c"]);
    expect(await list({ equals: { currency: "BRL" } }, "oldest_first")).toEqual(["a", "c"]);
    expect(await list({ statuses: ["cancelled", "requires_approval"] }, "oldest_first")).toEqual(["a", "b", "c"]);
    expect(await list({}, "newest_first")).toEqual(["c", "b", "a"]);
  });

  it("by time includes its lower bound and excludes its upper one; an inverted window is empty", async () => {
    const { rows } = await listIntents(PAYOUTS, merchant.scope, {}, null, 100);
    const [, middle] = rows;
    const at = middle?.createdAt;
    expect(await list({ createdAfter: at })).toEqual(["c", "b"]);
    expect(await list({ createdBefore: at })).toEqual(["a"]);
    expect(await list({ createdAfter: at, createdBefore: at })).toEqual([]);
  });

  it("by the earliest and the latest time there is, is no error", async () => {
    const [earliest, latest] = [new Date("0099-12-31T10:00:00Z"), new Date("+010000-01-01T13:59:59.999Z")];
    expect(await list({ createdAfter: earliest, createdBefore: latest })).toEqual(["c", "b", "a"]);
    expect(await list({ createdAfter: latest })).toEqual([]);
  });

  it("by a currency that the merchant does not have is refused", async () => {
    await expect(list({ equals: { currency: "JPY" } })).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("never shows what is another merchant's or in the other environment", async () => {
    const other = await makeMerchant();
    const live = { ...merchant.scope, environment: "live" as const };
    expect((await listIntents(PAYOUTS, other.scope, {}, null, 100)).rows).toEqual([]);
    expect((await listIntents(PAYOUTS, live, {}, null, 100)).rows).toEqual([]);
  });
});
