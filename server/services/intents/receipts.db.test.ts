// Reports of incoming money that may be the same money: each receipt is booked once, and nothing is booked in doubt.

import { afterEach, beforeEach, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { PaymentOutcome } from "@/server/domain/outcome";
import { requireInvariants } from "@/server/testing/invariants";
import { makeMerchant, payment, type TestMerchant } from "@/server/testing/merchant";
import { applyUpdate } from "../callbacks/apply-update";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { PAYMENTS } from "../payments/kind";
import { getIntent } from "./read";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(async () => {
  await requireInvariants();
});

const paid = (providerReference: string | null, receiptId: string | null = null, amount = 1050n): PaymentOutcome => ({
  kind: "succeeded",
  receiptId,
  amount,
  currency: "BRL",
  providerReference,
});
const DECLINED: PaymentOutcome = { kind: "declined", message: null, providerReference: null };

async function make(...news: readonly PaymentOutcome[]) {
  const { intent } = await createPaymentIntent(merchant.context, payment({ amount: "1050" }), withoutIdempotency());
  const tell = async (one: PaymentOutcome) => {
    const current = await getIntent(PAYMENTS, merchant.scope, intent.id);
    return applyUpdate(merchant.context, { kind: "payment_intent", intent: current }, [one]);
  };
  for (const one of news) await tell(one);
  return { id: intent.id, tell };
}

/** Sums booked for the intent by their reasons, and its exceptions, each in no order. */
async function where(id: string): Promise<[booked: string[], exceptions: string[]]> {
  const booked = await query<{ reason: string; amount: string }>(
    `SELECT t.reason, (-e.amount)::text AS amount FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     WHERE t.intent_id = $1 AND starts_with(e.kind, 'provider_clearing')`,
    id,
  );
  const exceptions = await query<{ kind: string }>("SELECT kind FROM exception WHERE object_id = $1", id);
  return [booked.map(({ reason, amount }) => `${reason} ${amount}`).sort(), exceptions.map(({ kind }) => kind).sort()];
}

it("one id is one receipt, whatever the reference; another id of an equal sum is another payment", async () => {
  const { id, tell } = await make(paid("px_1", "r-1"));
  await Promise.all([paid("px_2", "r-1"), paid(null, "r-1"), paid("px_1", "r-1")].map(tell));
  expect(await where(id)).toEqual([["payment_credit 1050"], []]);
  await Promise.all([paid("px_1", "r-2"), paid("px_1", "r-2"), paid("px_1", "r-3")].map(tell));
  const expected = ["late_money 1050", "late_money 1050", "payment_credit 1050"];
  expect(await where(id)).toEqual([expected, ["late_money", "late_money"]]);
});

it("without ids, equal references and sums are one receipt, and doubt books nothing", async () => {
  const { id, tell } = await make(paid("px_1"), paid("px_1"));
  expect(await where(id)).toEqual([["payment_credit 1050"], []]);
  await Promise.all([paid(null), paid(null), paid("px_2"), paid("px_2")].map(tell));
  expect(await where(id)).toEqual([["payment_credit 1050"], ["ambiguous_receipt", "ambiguous_receipt"]]);
  await tell(paid("px_1", null, 900n));
  expect((await where(id))[0]).toEqual(["late_money 900", "payment_credit 1050"]);
});

it("money kept apart is booked once where reports with and without a reference overlap", async () => {
  for (let trial = 0; trial < 10; trial += 1) {
    const { id, tell } = await make(DECLINED);
    await Promise.all([paid("px_1"), paid(null), paid("px_1"), paid(null)].map(tell));
    expect(await where(id)).toEqual([["late_money 1050"], ["ambiguous_receipt", "late_money"]]);
  }
});

it("what was booked before providers sent ids is the same receipt under the same reference", async () => {
  const { id, tell } = await make(paid("px_1"));
  await tell(paid("px_1", "r-1"));
  expect(await where(id)).toEqual([["payment_credit 1050"], []]);
  await tell(paid("px_9", "r-9"));
  expect(await where(id)).toEqual([["payment_credit 1050"], ["ambiguous_receipt"]]);
});

it("an id whose other sum is in suspense credits nothing, and a person judges the sums", async () => {
  const { id, tell } = await make(paid("px_1", "r-1", 990n));
  await Promise.all([paid("px_1", "r-1"), paid("px_2", "r-1"), paid("px_1", "r-1", 990n)].map(tell));
  const expected = [["amount_mismatch 990"], ["ambiguous_receipt", "amount_mismatch"]];
  expect(await where(id)).toEqual(expected);
  await tell(DECLINED);
  await tell(paid("px_1", "r-1"));
  expect(await where(id)).toEqual(expected);
});

it("another sum under the id of a booked receipt books nothing, and a person judges it", async () => {
  for (const booked of [[paid("px_1", "r-1")], [DECLINED, paid("px_1", "r-1")]]) {
    const { id, tell } = await make(...booked);
    const [sums, exceptions] = await where(id);
    await Promise.all([paid("px_1", "r-1", 900n), paid("px_1", "r-1", 900n), paid("px_1", "r-1")].map(tell));
    expect(await where(id)).toEqual([sums, ["ambiguous_receipt", ...exceptions]]);
  }
});

it("a credit reported many times at once opens no exception", async () => {
  const { id, tell } = await make();
  await Promise.all(Array.from({ length: 8 }, () => tell(paid("px_1", "r-1"))));
  expect(await where(id)).toEqual([["payment_credit 1050"], []]);
});
