// Histories on the real database: any order of news leaves one end, one event and sound books.

import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { PaymentOutcome, PayoutOutcome } from "@/server/domain/outcome";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { approvedPayout, balanceOf, makeMerchant, OPENING, payment } from "@/server/testing/merchant";
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { PAYOUTS } from "../payouts/kind";
import { getIntent } from "./read";

afterEach(requireInvariants);

const trace = { providerReference: "psp-1" };
const PAYMENT_NEWS: readonly PaymentOutcome[] = [
  { kind: "pending", ...trace },
  { kind: "succeeded", receiptId: null, amount: 1050n, currency: "BRL", ...trace },
  { kind: "succeeded", receiptId: null, amount: 1049n, currency: "BRL", ...trace },
  { kind: "declined", message: "No.", ...trace },
  { kind: "cancelled", ...trace },
  { kind: "expired", ...trace },
  { kind: "never_accepted", detail: "" },
  { kind: "unknown", detail: "" },
];
const PAYOUT_NEWS: readonly PayoutOutcome[] = [
  { kind: "pending", ...trace },
  { kind: "settled", amount: 25_000n, currency: "BRL", ...trace },
  { kind: "declined", message: "No.", ...trace },
  { kind: "invalid_recipient", message: null, ...trace },
  { kind: "returned", amount: 25_000n, currency: "BRL", providerReference: "ret-1" },
  { kind: "never_accepted", detail: "" },
  { kind: "unknown", detail: "" },
];
const TERMINAL = ["succeeded", "failed", "expired", "cancelled"];

/** Histories with repeats, the same ones in every run. */
function histories<News>(news: readonly News[], count: number): News[][] {
  return fc.sample(fc.array(fc.constantFrom(...news), { minLength: 3, maxLength: 8 }), {
    numRuns: count,
    seed: 20_261_121,
  });
}

async function expectStill<Intent extends { status: string }>(
  read: () => Promise<Intent>,
  apply: () => Promise<unknown>,
) {
  const ended = await read();
  await apply();
  expect(TERMINAL.includes(ended.status) ? await read() : ended).toEqual(ended);
}

describe("news told all at once, in any order", () => {
  it("brings a payment to one end, which more news does not change", async () => {
    const merchant = await makeMerchant();
    const work = histories(PAYMENT_NEWS, 40).map(async (history) => {
      const { intent } = await createPaymentIntent(merchant.context, payment(), withoutIdempotency());
      const apply = (news: PaymentOutcome[]) => applyUpdate(merchant.context, { kind: "payment_intent", intent }, news);
      await Promise.all(history.map((news) => apply([news])));
      await expectStill(
        () => getIntent(PAYMENTS, merchant.scope, intent.id),
        () => apply(history),
      );
    });
    await Promise.all(work);
    const [ended] = await query<{ count: number; credited: string }>(
      `SELECT count(*) FILTER (WHERE status IN ('succeeded', 'failed', 'expired'))::int AS count,
              coalesce(sum(amount) FILTER (WHERE status = 'succeeded'), 0)::text AS credited
       FROM payment_intent WHERE merchant_id = $1`,
      merchant.merchantId,
    );
    expect(ended?.count).toBeGreaterThan(20);
    expect(await countRows("event", merchant.merchantId)).toBe(ended?.count);
    expect((await balanceOf(merchant))[0]).toBe(OPENING + BigInt(ended?.credited ?? "0"));
  });

  it("brings a payout to one end, its hold settled or given back", async () => {
    const merchant = await makeMerchant();
    const work = histories(PAYOUT_NEWS, 40).map(async (history) => {
      const intent = await approvedPayout(merchant);
      const apply = (news: PayoutOutcome[]) => applyUpdate(merchant.context, { kind: "payout_intent", intent }, news);
      await Promise.all(history.map((news) => apply([news])));
      await expectStill(
        () => getIntent(PAYOUTS, merchant.scope, intent.id),
        () => apply(history),
      );
    });
    await Promise.all(work);
    const [sums] = await query<{ settled: number; open: number }>(
      `SELECT count(*) FILTER (WHERE status = 'succeeded')::int AS settled,
              count(*) FILTER (WHERE status = 'processing')::int AS open
       FROM payout_intent WHERE merchant_id = $1`,
      merchant.merchantId,
    );
    const [settled, open] = [BigInt(sums?.settled ?? 0), BigInt(sums?.open ?? 0)];
    const returns = await query<{ kind: string; count: number }>(
      "SELECT kind, count(*)::int AS count FROM exception WHERE merchant_id = $1 GROUP BY kind",
      merchant.merchantId,
    );
    // A settlement after the failure leaves late money, an acceptance after it a contradiction; settled payouts may return.
    expect(["bank_return", "late_money", "contradiction"]).toEqual(
      expect.arrayContaining(returns.map(({ kind }) => kind)),
    );
    const returned = BigInt(returns.find(({ kind }) => kind === "bank_return")?.count ?? 0);
    expect(await countRows("event", merchant.merchantId)).toBe(40 - (sums?.open ?? 0));
    expect(await balanceOf(merchant)).toEqual([OPENING - 25_000n * (settled + open - returned), 25_000n * open]);
  });
});
