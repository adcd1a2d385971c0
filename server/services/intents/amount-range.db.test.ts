// Lists by a range of amounts have exactly the intents of the range, each once, whether the search table has them or not and
// however many there are.
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { disconnect } from "@/server/db/client";
import type { IntentFilter } from "@/server/db/intents/store";
import type { PagePosition } from "@/server/db/list-start";
import type { ListOrder } from "@/server/domain/list-order";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { makeMerchant, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import type { Page } from "../page";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { simulate } from "../sandbox/simulate";
import { fillAll } from "../search/testing/fill-all";
import { createTopupIntent } from "../topups/create";
import { TOPUPS } from "../topups/kind";
import { countInRange, listInRange, rangeOf } from "./amount-range";
import { listIntents } from "./read";
import { watchIntents } from "./watch";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant(["BRL", "MXN"]);
});
afterAll(disconnect);

const AMOUNTS = ["5", "99", "100", "1000", "1050", "1050", "9999", "10000", "10500", "2000000"];

async function pay(amounts: readonly string[], { context } = merchant): Promise<void> {
  for (const amount of amounts) await createPaymentIntent(context, payment({ amount }), withoutIdempotency());
}

const inBrl = (from?: string, to?: string, more: IntentFilter = {}): IntentFilter => ({
  ...more,
  equals: { currency: "BRL" },
  amount: { from: from === undefined ? from : BigInt(from), to: to === undefined ? to : BigInt(to) },
});

/** The amounts that the filter finds, read in pages of two. */
async function amountsOf(filter: IntentFilter, order: ListOrder = "newest_first"): Promise<string[]> {
  const amounts: string[] = [];
  let after: PagePosition | null = null;
  for (let hasMore = true; hasMore; ) {
    const page: Page<PaymentIntent> = await listIntents(PAYMENTS, merchant.scope, filter, after, 2, order);
    amounts.push(...page.rows.map(({ amount }) => amount.toString()));
    after = page.readTo ?? page.rows.at(-1) ?? null;
    hasMore = page.hasMore;
  }
  return amounts;
}

const expected = (from: bigint, to: bigint) => AMOUNTS.filter((text) => BigInt(text) >= from && BigInt(text) <= to);

describe.each(["before the search table has them", "half filled", "after it"])("%s", (state) => {
  it("finds exactly the range, in the order of creation", async () => {
    if (state === "half filled") {
      await pay(AMOUNTS.slice(0, 5));
      await fillAll(merchant.merchantId);
      await pay(AMOUNTS.slice(5));
    } else await pay(AMOUNTS);
    if (state === "after it") await fillAll(merchant.merchantId);
    await pay(["1050"], await makeMerchant());
    for (const [from, to] of [
      ["1000", "1050"],
      ["0", "100"],
      ["99", "99"],
      ["1051", "9998"],
      ["0", "999999999999999999999999999999"],
      ["2000000", "2000000"],
    ] as const) {
      const found = expected(BigInt(from), BigInt(to));
      expect(await amountsOf(inBrl(from, to), "oldest_first")).toEqual(found);
      expect(await amountsOf(inBrl(from, to))).toEqual([...found].reverse());
    }
    expect(await amountsOf(inBrl("1050"), "oldest_first")).toEqual(expected(1050n, 10n ** 30n));
    expect(await amountsOf(inBrl(undefined, "1050"), "oldest_first")).toEqual(expected(0n, 1050n));
    const mexican = { ...inBrl("0", "2000000"), equals: { currency: "MXN" } };
    expect(await amountsOf(mexican)).toEqual([]);
  });
});

it("counts by status and newer ones, each under the other filters", async () => {
  await pay(AMOUNTS);
  const [first, ...others] = (await listIntents(PAYMENTS, merchant.scope, inBrl("1000", "1050"), null, 10)).rows;
  if (!first) throw new Error("payments of the range were made");
  await simulate(merchant.context, first.id, "succeeded");
  const shown = { filter: inBrl("1000", "1050"), newest: others.at(-1) ?? null, ids: [first.id] };
  const watched = await watchIntents(PAYMENTS, merchant.scope, shown);
  expect(Object.fromEntries(watched.counts ?? [])).toMatchObject({ succeeded: 1, requires_action: 2 });
  expect(watched.newer).toBe(2);
  const paid = { ...shown, filter: inBrl("1000", "1050", { statuses: ["succeeded"] }), newest: null };
  expect((await watchIntents(PAYMENTS, merchant.scope, paid)).newer).toBe(1);
  expect((await amountsOf(inBrl("1000", "1050", { statuses: ["succeeded"] }))).length).toBe(1);
  expect(await amountsOf(inBrl("1000", "1050", { country: "MX" }))).toEqual([]);
});

it("finds payouts and top-ups by the amount that the lists show", async () => {
  const out = await createPayoutIntent(merchant.context, payout({ amount: "77711" }), withoutIdempotency());
  const up = await createTopupIntent(merchant.context, topup(), withoutIdempotency());
  const { destinationAmount: amount } = up.intent;
  const of = async (kind: typeof PAYOUTS | typeof TOPUPS, from: bigint, to: bigint) =>
    (await listIntents(kind as typeof PAYOUTS, merchant.scope, inBrl(`${from}`, `${to}`), null, 9)).rows.map(
      ({ id }) => id,
    );
  expect(await of(PAYOUTS, 77711n, 77711n)).toEqual([out.intent.id]);
  expect(await of(PAYOUTS, 77712n, 80000n)).toEqual([]);
  expect(await of(TOPUPS, amount, amount)).toEqual([up.intent.id]);
  expect(await of(TOPUPS, amount + 1n, amount * 2n)).toEqual([]);
});

describe("a range with more intents than are read by id", () => {
  const REACH = { few: 2, stretch: 3, stretches: 2 };

  it.each(["newest_first", "oldest_first"] as const)("%s: stretches miss none and repeat none", async (order) => {
    await pay([...AMOUNTS, ...Array.from({ length: 9 }, () => "7"), "1050"]);
    const filter = inBrl("1000", "1050");
    const range = rangeOf(filter);
    if (!range) throw new Error("it has a range");
    const ids: string[] = [];
    const lengths: number[] = [];
    let after: PagePosition | null = null;
    for (let hasMore = true; hasMore; ) {
      const page: Page<PaymentIntent> = await listInRange(
        PAYMENTS,
        merchant.scope,
        filter,
        range,
        after,
        2,
        order,
        REACH,
      );
      ids.push(...page.rows.map(({ id }) => id));
      lengths.push(page.rows.length);
      after = page.readTo ?? page.rows.at(-1) ?? null;
      hasMore = page.hasMore;
    }
    const all = (await listIntents(PAYMENTS, merchant.scope, filter, null, 50, order)).rows.map(({ id }) => id);
    expect(all).toHaveLength(4);
    expect(ids).toEqual(all);
    // Nine others lie between them, which is more than a page reads.
    expect(lengths).toContain(0);
  });

  it("is not counted by status; newer ones are counted within a stretch", async () => {
    await pay(AMOUNTS);
    const filter = inBrl("0", "2000000");
    const range = rangeOf(filter);
    if (!range) throw new Error("it has a range");
    const nothing = { createdAt: new Date(0), id: "" };
    const counted = await countInRange(PAYMENTS, merchant.scope, filter, range, nothing, 1_000, REACH);
    expect(counted).toEqual({ counts: null, newer: REACH.stretch - 1 });
  });
});

it("a range needs a currency, and must not end before it begins", async () => {
  const list = (filter: IntentFilter) => listIntents(PAYMENTS, merchant.scope, filter, null, 2);
  await expect(list({ amount: { from: 1n } })).rejects.toMatchObject({
    code: "validation_failed",
    message: "amount_from needs a currency",
  });
  await expect(list(inBrl("2", "1"))).rejects.toMatchObject({ code: "validation_failed" });
});
