import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { decideCancel } from "@/server/domain/payout-gate";
import { newPayoutIntent, type PayoutIntent } from "@/server/domain/payout-intent";
import { samplePayment, samplePayout } from "@/server/domain/testing/samples";
import { newId } from "@/server/platform/ids";
import { countRows, requireInvariantsExcept } from "@/server/testing/invariants";
import { balanceOf, makeMerchant, OPENING, type TestMerchant } from "@/server/testing/merchant";
import { book, paymentCommitter, payoutCommitter } from "./commit";
import type { Claim, Effects } from "./unit";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant(["BRL", "MXN"]);
});
afterEach(() =>
  requireInvariantsExcept(
    "suspense_has_its_exception",
    "ledger_transaction_belongs_to_its_intent",
    "audited_change_belongs_to_its_intent",
  ),
);

const effects = (more: Partial<Effects> = {}): Effects => ({
  context: merchant.context,
  action: "payout_intent.create",
  ...more,
});
const claim = (key: string): Claim => ({
  apiKeyId: merchant.context.actor.id,
  key,
  fingerprint: "f",
  holder: "h",
  leaseSeconds: 60,
});
const seal = (key: string, body: string) => ({ apiKeyId: merchant.context.actor.id, key, status: 201, body });

function freshPayout(amount = 25_000n, merchantReference = newId("request")) {
  const changes = { ...merchant.scope, id: newId("payoutIntent"), amount, merchantReference };
  const intent = samplePayout("requires_approval", changes);
  return { intent, transactions: newPayoutIntent({ ...intent, scope: merchant.scope }, new Date()).transactions };
}

async function create(amount?: bigint, merchantReference?: string, more: Partial<Effects> = {}) {
  const { intent, transactions } = freshPayout(amount, merchantReference);
  return { intent, verdict: await payoutCommitter.create(intent, transactions, effects(more)) };
}

function cancel(intent: PayoutIntent, more: Partial<Effects> = {}) {
  const { plan } = decideCancel(intent, "why", new Date());
  return payoutCommitter.move(plan, effects({ action: "payout_intent.cancel", ...more }));
}

const WRITTEN = [
  "payout_intent",
  "idempotency_key",
  "idempotency_seal",
  "ledger_transaction",
  "ledger_entry",
  "event",
  "audit_entry",
  "provider_attempt",
];
const counts = async () => Promise.all(WRITTEN.map((table) => countRows(table, merchant.merchantId)));

describe("creating", () => {
  it("writes the intent, its hold, its audit entry, the claim and the seal in one commit", async () => {
    const before = await counts();
    const { intent, verdict } = await create(25_000n, "r", { claim: claim("k"), seal: seal("k", "{}") });
    expect(verdict).toBe("committed");
    expect((await counts()).map((count, n) => count - (before[n] ?? 0))).toEqual([1, 1, 1, 1, 2, 0, 1, 0]);
    expect(await balanceOf(merchant)).toEqual([OPENING - 25_000n, 25_000n]);
    const [key] = await query<{ object_id: string }>(
      "SELECT object_id FROM idempotency_key WHERE merchant_id = $1",
      merchant.merchantId,
    );
    expect(key?.object_id).toBe(intent.id);
  });

  it("under a key that is taken writes nothing: claim_lost", async () => {
    await create(1n, "first", { claim: claim("k"), seal: seal("k", "{}") });
    const before = await counts();
    expect((await create(1n, "second", { claim: claim("k"), seal: seal("k", "other") })).verdict).toBe("claim_lost");
    expect(await counts()).toEqual(before);
  });

  it("under a reference that is taken writes nothing but its claim: reference_taken", async () => {
    await create(1n, "same");
    const before = await counts();
    expect((await create(1n, "same")).verdict).toBe("reference_taken");
    expect(await counts()).toEqual(before);
    expect((await create(1n, "same", { claim: claim("k"), seal: seal("k", "{}") })).verdict).toBe("reference_taken");
    expect((await counts()).map((count, n) => count - (before[n] ?? 0))).toEqual([0, 1, 0, 0, 0, 0, 0, 0]);
  });

  it("the same reference is free in the other environment and for another kind of intent", async () => {
    await create(1n, "same");
    const live = samplePayment("processing", {
      ...merchant.scope,
      id: newId("paymentIntent"),
      merchantReference: "same",
    });
    expect(await paymentCommitter.create(live, [], effects({ action: "payment_intent.create" }))).toBe("committed");
    const scope = { ...merchant.scope, environment: "live" as const };
    const context = { ...merchant.context, scope };
    const other = samplePayment("processing", {
      ...scope,
      id: newId("paymentIntent"),
      merchantReference: "same",
    });
    expect(await paymentCommitter.create(other, [], { context, action: "payment_intent.create" })).toBe("committed");
  });

  it("beyond the balance writes nothing, not even the claim: insufficient_balance", async () => {
    const before = await counts();
    const { verdict } = await create(OPENING + 1n, "big", { claim: claim("k"), seal: seal("k", "{}") });
    expect(verdict).toBe("insufficient_balance");
    expect(await counts()).toEqual(before);
    expect((await create(OPENING)).verdict).toBe("committed");
    expect(await balanceOf(merchant)).toEqual([0n, OPENING]);
  });
});

describe("moving", () => {
  it("writes status, event, release, audit entry, claim and seal in one commit", async () => {
    const { intent } = await create();
    const before = await counts();
    expect(await cancel(intent, { claim: claim("c"), seal: seal("c", "{}"), reason: "why" })).toBe("committed");
    expect((await counts()).map((count, n) => count - (before[n] ?? 0))).toEqual([0, 1, 1, 1, 2, 1, 1, 0]);
    const [event] = await query(
      "SELECT type, status, failure_code, failure_message, environment FROM event WHERE merchant_id = $1 AND intent_id = $2",
      merchant.merchantId,
      intent.id,
    );
    expect(event).toEqual({
      type: "payout_intent.cancelled",
      status: "cancelled",
      failure_code: "cancelled",
      failure_message: "why",
      environment: "test",
    });
  });

  it.each<[string, Partial<PayoutIntent>]>([
    ["status", { status: "processing" }],
    ["revision", { revision: 7 }],
    ["merchant", { merchantId: "mer_01h455vb4pex5vsknk084sn02q" }],
    ["id", { id: "word_01h455vb4pex5vsknk084sn02q" }],
  ])("from another %s than the row's writes nothing: guard_failed", async (_what, change) => {
    const { intent } = await create();
    const before = await counts();
    const { plan } = decideCancel(intent, null, new Date());
    const stale = {
      ...plan,
      before: { ...plan.before, ...change },
      after: { ...plan.after, ...change, status: "cancelled" as const },
    };
    const context = { ...merchant.context, scope: { ...merchant.scope, merchantId: stale.after.merchantId } };
    const verdict = await payoutCommitter.move(stale, { context, action: "payout_intent.cancel", claim: claim("k") });
    expect(verdict).toBe("guard_failed");
    expect(await counts()).toEqual(before);
  });

  it("under a key that is taken undoes the move: claim_lost", async () => {
    const [first, second] = [await create(), await create()];
    await cancel(first.intent, { claim: claim("k"), seal: seal("k", "{}") });
    const before = await counts();
    expect(await cancel(second.intent, { claim: claim("k"), seal: seal("k", "{}") })).toBe("claim_lost");
    expect(await counts()).toEqual(before);
  });

  it("twice from the same reading moves once", async () => {
    const { intent } = await create();
    const verdicts = await Promise.all([cancel(intent), cancel(intent), cancel(intent)]);
    expect([...verdicts].sort()).toEqual(["committed", "guard_failed", "guard_failed"]);
  });
});

describe("booking", () => {
  const fact = {
    reason: "late_money" as const,
    uniqueKey: "late_money:dord_1:psp-1",
    intentId: "dord_1",
    provider: "sandbox",
    entries: [
      { account: "provider_clearing" as const, currency: "BRL", amount: -5n },
      { account: "suspense" as const, currency: "BRL", amount: 5n },
    ],
  };

  it("the same fact a second time is refused: already_booked", async () => {
    const verdicts = await Promise.all(Array.from({ length: 8 }, () => book(fact, "dord_1", new Date(), effects())));
    expect(verdicts.filter((verdict) => verdict === "committed")).toHaveLength(1);
    expect(verdicts.filter((verdict) => verdict === "already_booked")).toHaveLength(7);
  });

  it("under a number that is taken writes nothing: guard_failed", async () => {
    const numbered = (uniqueKey: string, movementOrdinal: number) =>
      book({ ...fact, uniqueKey, movementOrdinal }, "dord_1", new Date(), effects());
    expect(await numbered("late_money:dord_1:psp-1", 1)).toBe("committed");
    const before = await counts();
    expect(await numbered("late_money:dord_1:psp-2", 1)).toBe("guard_failed");
    expect(await counts()).toEqual(before);
    expect(await numbered("late_money:dord_1:psp-2", 2)).toBe("committed");
  });
});
