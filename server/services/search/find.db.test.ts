// What search finds: by every field, newest first, and nothing of another merchant or environment.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { disconnect, query } from "@/server/db/client";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { PayoutRecipient } from "@/server/domain/payout-recipient";
import type { TopupIntent } from "@/server/domain/topup-intent";
import { makeMerchant, payment, payout, type TestMerchant, topup } from "@/server/testing/merchant";
import { linkAuditEntries } from "../audit/link-entries";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { createPayoutIntent } from "../payouts/create";
import { forgetRecipient, saveRecipient } from "../recipients/save";
import { simulate } from "../sandbox/simulate";
import { createTopupIntent } from "../topups/create";
import { SHOWN_OF_A_KIND, search } from "./find";
import { fillAll } from "./testing/fill-all";

interface World {
  readonly merchant: TestMerchant;
  readonly payment: PaymentIntent;
  readonly payout: PayoutIntent;
  readonly topup: TopupIntent;
  readonly recipient: PayoutRecipient;
}

async function makeWorld(): Promise<World> {
  const merchant = await makeMerchant(["BRL", "KWD"]);
  const { context, merchantId } = merchant;
  const create = (changes: Parameters<typeof payment>[0]) =>
    createPaymentIntent(context, payment(changes), withoutIdempotency());
  const paid = await create({ merchantReference: "INV-2026-0004", amount: "125050" });
  await simulate(context, paid.intent.id, "succeeded");
  const recipient = { type: "bank_account", accountNumber: "0001-99", bankCode: "001" } as const;
  const sent = await createPayoutIntent(
    context,
    payout({
      merchantReference: "pay-1",
      amount: "77711",
      recipient: { ...recipient, holderName: "José Conceição  Silva" },
    }),
    withoutIdempotency(),
  );
  const funded = await createTopupIntent(context, topup({ merchantReference: "INV-top" }), withoutIdempotency());
  const details = { accountNumber: "0001-123", bankCode: "001", country: "BR", currency: "BRL" };
  const saved = await saveRecipient(merchant.byMember(), { ...details, holderName: "Padaria Silva" });
  await fillAll(merchantId);
  return { merchant, payment: paid.intent, payout: sent.intent, topup: funded.intent, recipient: saved };
}

let world: World;
let other: World;
beforeAll(async () => {
  world = await makeWorld();
  other = await makeWorld();
});
afterAll(disconnect);

/** The ids of everything that is found. */
async function found(text: string, { merchant: { scope } } = world): Promise<string[]> {
  const { filledUntil: _, ...kinds } = await search(scope, text);
  return Object.values(kinds).flatMap(({ rows }) => rows.map(({ id }) => id));
}

describe("search", () => {
  it("finds by the beginning of a reference, whatever its case", async () => {
    expect(await found("inv-2026")).toEqual([world.payment.id]);
    expect(await found("INV-")).toEqual([world.payment.id, world.topup.id]);
    expect(await found("2026-0004")).toEqual([]);
    expect(await found("inv_2026")).toEqual([]);
    expect(await found("%nv")).toEqual([]);
  });

  it("finds by the beginning of each word of a recipient's name, whatever its accents", async () => {
    for (const text of ["jose", "JOSÉ CONC", "conceicao s", "sil"])
      expect(await found(text)).toContain(world.payout.id);
    expect(await found("silva")).toEqual([world.payout.id, world.recipient.id]);
    expect(await found("padaria si")).toEqual([world.recipient.id]);
    expect(await found("onceicao")).toEqual([]);
  });

  it("finds by the amount in major units, with either decimal mark", async () => {
    for (const text of ["1250.50", "1.250,50", "1,250.50", "BRL 1250.5", "1 250,50 brl"]) {
      expect(await found(text)).toEqual([world.payment.id]);
    }
    expect(await found("777.11")).toEqual([world.payout.id]);
    expect(await found("1,000.00")).toEqual([world.topup.id]);
    for (const text of ["125050", "KWD 1250.50", "1250.5000001"]) expect(await found(text)).toEqual([]);
    const { sourceAmount } = world.topup;
    const sent = `USDT ${sourceAmount / 1_000_000n}.${String(sourceAmount % 1_000_000n).padStart(6, "0")}`;
    expect(await found(sent)).toEqual([world.topup.id]);
  });

  it("finds by the id, by its beginning, and the event beside its payment", async () => {
    for (const { id } of [world.payout, world.topup, world.recipient])
      expect(await found(` ${id} `.trim())).toEqual([id]);
    const [event] = await query<{ id: string }>(
      "SELECT id FROM event WHERE merchant_id = $1 AND intent_id = $2",
      world.merchant.merchantId,
      world.payment.id,
    );
    expect(await found(world.payment.id)).toEqual([world.payment.id, event?.id]);
    expect(await found(event?.id ?? "")).toEqual([event?.id]);
    expect(await found(world.payment.id.slice(0, -4))).toContain(world.payment.id);
    expect(await found(world.payment.id.toUpperCase())).toContain(world.payment.id);
    expect(await found("dord_0")).toEqual([]);
  });

  it("finds by the exact reference at the provider", async () => {
    const [attempt] = await query<{ provider_reference: string }>(
      "SELECT provider_reference FROM provider_attempt WHERE merchant_id = $1 AND intent_id = $2 AND provider_reference IS NOT NULL",
      world.merchant.merchantId,
      world.payment.id,
    );
    expect(attempt).toBeDefined();
    expect(await found(attempt?.provider_reference ?? "")).toContain(world.payment.id);
  });

  it("shows a few of each kind, exact and newest first, and tells that there are more", async () => {
    const { context, merchantId, scope } = await makeMerchant();
    for (let number = 0; number < SHOWN_OF_A_KIND + 2; number += 1) {
      await createPaymentIntent(
        context,
        payment({ amount: "4711", merchantReference: `SAME-${number}` }),
        withoutIdempotency(),
      );
    }
    await createPaymentIntent(context, payment({ merchantReference: "same" }), withoutIdempotency());
    await fillAll(merchantId);
    const byReference = await search(scope, "same");
    expect(byReference.payments.hasMore).toBe(true);
    expect(byReference.payments.rows.map(({ merchantReference }) => merchantReference)).toEqual([
      "same",
      "SAME-0",
      "SAME-1",
      "SAME-2",
      "SAME-3",
    ]);
    const byAmount = await search(scope, "47.11");
    expect(byAmount.payments.hasMore).toBe(true);
    expect(byAmount.payments.rows.map(({ merchantReference }) => merchantReference)).toEqual(
      [6, 5, 4, 3, 2].map((number) => `SAME-${number}`),
    );
  });

  it("finds nothing of another merchant, and nothing in the other environment", async () => {
    const texts = [
      "INV-",
      "silva",
      "1250.50",
      ...[world.payment, world.payout, world.topup, world.recipient].map(({ id }) => id),
    ];
    const live = { ...world.merchant.scope, environment: "live" } as const;
    for (const text of texts) {
      const theirs = await found(text, other);
      for (const { id } of [world.payment, world.payout, world.topup, world.recipient])
        expect(theirs).not.toContain(id);
      const { filledUntil: _, ...kinds } = await search(live, text);
      expect(Object.values(kinds).map(({ rows }) => rows.length)).toEqual([0, 0, 0, 0, 0]);
    }
  });

  it("no longer finds a removed recipient", async () => {
    const { merchant, recipient } = other;
    expect(await found("padaria", other)).toEqual([recipient.id]);
    await forgetRecipient(merchant.byMember(), recipient.id);
    expect(await found("padaria", other)).toEqual([]);
    expect(await found(recipient.id, other)).toEqual([]);
  });

  it("tells until when it is filled, and finds ids before that", async () => {
    const { context, merchantId, scope } = await makeMerchant();
    const { intent } = await createPaymentIntent(
      context,
      payment({ merchantReference: "early" }),
      withoutIdempotency(),
    );
    const unlinked = await search(scope, "early");
    expect(unlinked.payments.rows).toEqual([]);
    expect(unlinked.filledUntil).toBeInstanceOf(Date);
    await linkAuditEntries();
    const before = await search(scope, "early");
    expect(before.payments.rows).toEqual([]);
    expect(before.filledUntil).toBeInstanceOf(Date);
    expect((await search(scope, intent.id)).payments.rows.map(({ id }) => id)).toEqual([intent.id]);
    await fillAll(merchantId);
    const after = await search(scope, "early");
    expect(after.payments.rows.map(({ id }) => id)).toEqual([intent.id]);
    expect(after.filledUntil).toBeNull();
  });

  it.each([
    "'; DROP TABLE search_term; --",
    "\\",
    "\u{10FFFF}\u{10FFFF}",
    "\u0301\u0301",
    "\ud800x",
    "ﷺ".repeat(60),
    "🦊🦊",
  ])("a hostile text finds nothing and breaks nothing: %j", async (text) => {
    expect(await found(text)).toEqual([]);
  });
});
