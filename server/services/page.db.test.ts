// Lists that are no lists of intents, read a page at a time: every row comes once, in the list's order.
import { beforeEach, describe, expect, it } from "vitest";
import { makeMerchant, payout, type TestMerchant } from "@/server/testing/merchant";
import { listAuditLog } from "./audit/list";
import { withoutIdempotency } from "./idempotency/completion";
import type { PagePosition } from "./page";
import { cancelPayoutIntent } from "./payouts/cancel";
import { createPayoutIntent } from "./payouts/create";
import { listEvents } from "./webhooks/events";

const PAYOUTS = 5;
const WHOLE = 100;

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
  for (let n = 0; n < PAYOUTS; n += 1) {
    const { intent } = await createPayoutIntent(merchant.context, payout(), withoutIdempotency());
    await cancelPayoutIntent(merchant.context, { id: intent.id, reason: null }, withoutIdempotency());
  }
});

interface Read {
  readonly ids: readonly string[];
  /** Null on the last page. */
  readonly next: PagePosition | null;
}

const LISTS = {
  async events(after, limit) {
    const { rows, hasMore } = await listEvents(merchant.scope, {}, after, limit);
    return { ids: rows.map(({ id }) => id), next: hasMore ? (rows.at(-1) ?? null) : null };
  },
  async "the audit log"(after, limit) {
    const { entries, next } = await listAuditLog(merchant.scope, {}, after, limit);
    return { ids: entries.map(({ id }) => id), next };
  },
} satisfies Readonly<Record<string, (after: PagePosition | null, limit: number) => Promise<Read>>>;

describe.each(Object.entries(LISTS))("%s", (_name, read) => {
  it.each([1, 2, 3, 4])("in pages of %i", async (limit) => {
    const { ids } = await read(null, WHOLE);
    expect(ids.length).toBeGreaterThanOrEqual(PAYOUTS);
    const seen: string[] = [];
    let after: PagePosition | null = null;
    // A page that repeats its last row would never end.
    for (let pages = 0; pages <= ids.length; pages += 1) {
      const page: Read = await read(after, limit);
      seen.push(...page.ids);
      after = page.next;
      if (!after) break;
    }
    expect(seen).toEqual(ids);
  });
});
