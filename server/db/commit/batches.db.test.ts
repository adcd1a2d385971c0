import { afterEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { decideCancel } from "@/server/domain/payout-gate";
import { newPayoutIntent, type PayoutIntent } from "@/server/domain/payout-intent";
import { samplePayout } from "@/server/domain/testing/samples";
import { newId } from "@/server/platform/ids";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, type TestMerchant } from "@/server/testing/merchant";
import { payoutCommitter, type Verdict } from "./commit";
import type { Effects } from "./unit";

afterEach(requireInvariants);

function payoutOf(merchant: TestMerchant, amount: bigint, merchantReference = newId("request")): PayoutIntent {
  const changes = { ...merchant.scope, id: newId("payoutIntent"), amount, merchantReference };
  return samplePayout("requires_approval", changes);
}

function create(merchant: TestMerchant, intent: PayoutIntent, more: Partial<Effects> = {}): Promise<Verdict> {
  const { transactions } = newPayoutIntent({ ...intent, scope: merchant.scope }, new Date());
  return payoutCommitter.create(intent, transactions, {
    context: merchant.context,
    action: "payout_intent.create",
    ...more,
  });
}

function cancel(merchant: TestMerchant, intent: PayoutIntent): Promise<Verdict> {
  const { plan } = decideCancel(intent, null, new Date());
  return payoutCommitter.move(plan, { context: merchant.context, action: "payout_intent.cancel" });
}

function tally(verdicts: readonly Verdict[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const verdict of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts;
}

describe("a race for one balance", () => {
  it("of 100 payouts against a balance for 10 commits exactly 10", async () => {
    const merchant = await makeMerchant();
    const each = OPENING / 10n;
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => create(merchant, payoutOf(merchant, each))));
    expect(tally(verdicts)).toEqual({ committed: 10, insufficient_balance: 90 });
    expect(await balanceOf(merchant)).toEqual([0n, OPENING]);
    expect(await countRows("payout_intent", merchant.merchantId)).toBe(10);
  });

  it("of creations and cancellations never lets the wallet go below zero, at any entry", async () => {
    const merchant = await makeMerchant();
    const each = OPENING / 4n;
    let committed = 0;
    const one = async () => {
      const intent = payoutOf(merchant, each);
      if ((await create(merchant, intent)) !== "committed") return;
      committed += 1;
      expect(await cancel(merchant, intent)).toBe("committed");
    };
    await Promise.all(Array.from({ length: 60 }, one));
    expect(committed).toBeGreaterThanOrEqual(4);
    expect(await balanceOf(merchant)).toEqual([OPENING, 0n]);
  });
});

describe("one statement", () => {
  it("carries 64 units of several merchants, each booked in its own wallet", async () => {
    const merchants = await Promise.all(Array.from({ length: 8 }, () => makeMerchant()));
    const first = create(merchants[0] as TestMerchant, payoutOf(merchants[0] as TestMerchant, 1n));
    const verdicts = await Promise.all([
      first,
      ...Array.from({ length: 64 }, (_, n) => {
        const merchant = merchants[n % 8] as TestMerchant;
        return create(merchant, payoutOf(merchant, BigInt(n + 1)));
      }),
    ]);
    const ids = merchants.map(({ merchantId }) => merchantId);
    const [written] = await query<{ transactions: number }>(
      "SELECT count(DISTINCT xmin::text)::int AS transactions FROM payout_intent WHERE merchant_id = ANY($1)",
      ids,
    );
    expect(tally(verdicts)).toEqual({ committed: 65 });
    expect(written?.transactions).toBe(2);
    for (const [n, merchant] of merchants.entries()) {
      const held = Array.from({ length: 8 }, (_, k) => BigInt(k * 8 + n + 1)).reduce(
        (sum, amount) => sum + amount,
        n === 0 ? 1n : 0n,
      );
      expect(await balanceOf(merchant)).toEqual([OPENING - held, held]);
    }
  });

  it("with bad units among its members harms no neighbour", async () => {
    const merchant = await makeMerchant();
    const poor = await makeMerchant();
    const broken = { ...payoutOf(merchant, 1n), country: "nowhere" };
    const results = await Promise.allSettled([
      create(merchant, payoutOf(merchant, 1n)),
      ...Array.from({ length: 10 }, () => create(merchant, payoutOf(merchant, 1n))),
      create(merchant, broken),
      create(poor, payoutOf(poor, OPENING + 1n)),
      ...Array.from({ length: 10 }, () => create(merchant, payoutOf(merchant, 1n))),
    ]);
    const verdicts = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(tally(verdicts)).toEqual({ committed: 21, insufficient_balance: 1 });
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(await balanceOf(merchant)).toEqual([OPENING - 21n, 21n]);
    expect(await balanceOf(poor)).toEqual([OPENING, 0n]);
  });

  it("lets one of several units with the same key or the same reference win", async () => {
    const merchant = await makeMerchant();
    const claim = { apiKeyId: merchant.context.actor.id, key: "k", fingerprint: "f", holder: "h", leaseSeconds: 60 };
    const sameKey = await Promise.all(
      Array.from({ length: 20 }, () => create(merchant, payoutOf(merchant, 1n), { claim })),
    );
    expect(tally(sameKey)).toEqual({ committed: 1, claim_lost: 19 });
    const sameReference = await Promise.all(
      Array.from({ length: 20 }, () => create(merchant, payoutOf(merchant, 1n, "same"))),
    );
    expect(tally(sameReference)).toEqual({ committed: 1, reference_taken: 19 });
    expect(await balanceOf(merchant)).toEqual([OPENING - 2n, 2n]);
  });
});
