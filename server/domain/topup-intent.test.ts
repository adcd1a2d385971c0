// Owns the proof of what each piece of provider news means for a top-up intent.

import { describe, expect, it } from "vitest";
import type { LedgerTransaction } from "./ledger";
import type { TopupOutcome } from "./outcome";
import { ADDRESS, after, sampleTopup } from "./testing/samples";
import { valueOf } from "./topup-funds";
import {
  decideOnTopupOutcome,
  decideTopupExpiry,
  QUOTE_LIFETIME_MS,
  type TopupIntent,
  type TopupStatus,
} from "./topup-intent";
import { differingTopupField } from "./topup-repeat";
import type { Decision } from "./transition";

const now = after(60_000);
const trace = { providerReference: "psp-1" };
const asked = sampleTopup().sourceAmount;

function funds(amount: bigint, confirmed = true, currency = "USDT"): TopupOutcome {
  return { kind: "funds_seen", amount, confirmed, currency, ...trace };
}

/** What a transaction moves, account by account. */
function moved(transaction: LedgerTransaction | undefined): Record<string, bigint> {
  return Object.fromEntries((transaction?.entries ?? []).map(({ account, amount }) => [account, amount]));
}

/** The total that a decision wants in suspense. */
function late(decision: Decision<TopupIntent>): bigint {
  expect(decision).toMatchObject({ kind: "total", reason: "late_money", currency: "BRL", terms: null });
  return decision.kind === "total" ? decision.total : 0n;
}

describe("funds", () => {
  it("paid exactly and confirmed credit exactly what was asked for", () => {
    const decision = decideOnTopupOutcome(sampleTopup(), funds(asked), now);
    expect(decision).toMatchObject({
      plan: { after: { status: "succeeded", creditedAmount: 100_000n, receivedAmount: asked }, eventType: null },
    });
    if (decision.kind !== "planned") throw new Error("no plan");
    expect(moved(decision.plan.transactions[0])).toMatchObject({ available: 100_000n });
  });

  it("seen but not confirmed credit nothing yet", () => {
    const decision = decideOnTopupOutcome(sampleTopup(), funds(asked, false), now);
    expect(decision).toMatchObject({ plan: { after: { status: "processing", creditedAmount: 0n }, transactions: [] } });
  });

  it("paid in part leave the rest to pay, counted once however often they are told", () => {
    const waiting = sampleTopup("requires_payment", { nextAction: ADDRESS });
    const first = decideOnTopupOutcome(waiting, funds(asked - 5n), now);
    if (first.kind !== "planned") throw new Error("no plan");
    expect(first.plan.after).toMatchObject({ status: "requires_payment", nextAction: { ...ADDRESS, amount: "5" } });
    expect(decideOnTopupOutcome(first.plan.after, funds(asked - 5n), now).kind).toBe("ignored");
    expect(decideOnTopupOutcome(first.plan.after, funds(asked - 6n), now).kind).toBe("ignored");
    expect(decideOnTopupOutcome(first.plan.after, funds(asked), now)).toMatchObject({
      plan: { after: { status: "succeeded", creditedAmount: 100_000n } },
    });
  });

  it("paid beyond the sum are credited in proportion", () => {
    const decision = decideOnTopupOutcome(sampleTopup(), funds(asked * 2n), now);
    expect(decision).toMatchObject({ plan: { after: { status: "succeeded", creditedAmount: 200_000n } } });
  });

  it("told again after the credit are ignored", () => {
    const done = sampleTopup("succeeded", { receivedAmount: asked, creditedAmount: 100_000n });
    expect(decideOnTopupOutcome(done, funds(asked), now).kind).toBe("ignored");
  });

  it.each(["0", "-1"])("of %s are no funds, whatever the status", (text) => {
    for (const status of ["requires_payment", "processing", "succeeded", "failed", "expired"] as const) {
      expect(decideOnTopupOutcome(sampleTopup(status), funds(BigInt(text)), now).kind).toBe("ignored");
    }
  });
});

it("a part payment that can still be undone counts as nothing, even when the quote runs out", () => {
  expect(decideOnTopupOutcome(sampleTopup(), funds(asked - 1n, false), now).kind).toBe("ignored");
});

describe("late funds", () => {
  it("beyond what was credited go to suspense, in full value", () => {
    const done = sampleTopup("succeeded", { receivedAmount: asked, creditedAmount: 100_000n });
    expect(late(decideOnTopupOutcome(done, funds(asked * 2n), now))).toBeGreaterThanOrEqual(100_000n);
  });

  it("of a failed top-up go to suspense in full, although they had been seen before it failed", () => {
    const seen = sampleTopup("processing", { receivedAmount: asked });
    const decline = decideOnTopupOutcome(seen, { kind: "declined", message: null, providerReference: null }, now);
    if (decline.kind !== "planned") throw new Error("not declined");
    expect(decline.plan.transactions).toEqual([]);
    expect(late(decideOnTopupOutcome(decline.plan.after, funds(asked), now))).toBeGreaterThanOrEqual(100_000n);
  });

  it("of a top-up that failed after a part payment: the part is kept at once, later only the rest", () => {
    const part = sampleTopup("requires_payment", { receivedAmount: asked / 2n });
    const decline = decideOnTopupOutcome(part, { kind: "declined", message: null, providerReference: null }, now);
    if (decline.kind !== "planned" || !decline.plan.transactions[0]) throw new Error("nothing was kept");
    const kept = moved(decline.plan.transactions[0]).suspense ?? 0n;
    const all = kept + late(decideOnTopupOutcome(decline.plan.after, funds(asked), now));
    expect(all).toBe(valueOf(asked, sampleTopup()));
  });

  it("in another token are kept as they are, once confirmed", () => {
    const decision = decideOnTopupOutcome(sampleTopup(), funds(500n, true, "USDC"), now);
    if (decision.kind !== "stray") throw new Error("no stray money");
    expect(moved(decision.transaction)).toEqual({ provider_clearing: -500n, suspense: 500n });
    expect(decideOnTopupOutcome(sampleTopup(), funds(500n, false, "USDC"), now).kind).toBe("ignored");
  });

  it("that are worth less than one minor unit are nothing to book", () => {
    expect(decideOnTopupOutcome(sampleTopup("expired"), funds(1n), now).kind).toBe("ignored");
  });

  it("wait until they are confirmed", () => {
    expect(decideOnTopupOutcome(sampleTopup("expired"), funds(asked, false), now).kind).toBe("ignored");
  });
});

describe("the end of the quote", () => {
  it("is fifteen minutes after the creation", () => {
    expect(sampleTopup().expiresAt).toEqual(after(QUOTE_LIFETIME_MS));
    expect(QUOTE_LIFETIME_MS).toBe(900_000);
  });

  it("without any payment means expired", () => {
    expect(decideTopupExpiry(sampleTopup(), now)).toMatchObject({
      plan: { after: { status: "expired", failure: { code: "expired" }, dueAt: null }, transactions: [] },
    });
  });

  it("after a part payment credits the part", () => {
    const decision = decideTopupExpiry(sampleTopup("requires_payment", { receivedAmount: asked / 2n }), now);
    expect(decision).toMatchObject({ plan: { after: { status: "succeeded", creditedAmount: 49_999n } } });
  });

  it("after dust that buys not one minor unit means expired, with no empty booking", () => {
    const decision = decideTopupExpiry(sampleTopup("requires_payment", { receivedAmount: 1n }), now);
    expect(decision).toMatchObject({ plan: { after: { status: "expired", creditedAmount: 0n }, transactions: [] } });
  });

  it.each<TopupStatus>(["processing", "succeeded", "failed", "expired"])("changes nothing once it is %s", (status) => {
    expect(decideTopupExpiry(sampleTopup(status, { receivedAmount: asked }), now).kind).toBe("ignored");
  });
});

it("payment instructions are taken once", () => {
  const instructions: TopupOutcome = { kind: "instructions", nextAction: ADDRESS, ...trace };
  const decision = decideOnTopupOutcome(sampleTopup(), instructions, now);
  expect(decision).toMatchObject({ plan: { after: { status: "requires_payment", nextAction: ADDRESS } } });
  const known = sampleTopup("requires_payment", { nextAction: { ...ADDRESS, amount: "5" } });
  expect(decideOnTopupOutcome(known, instructions, now).kind).toBe("ignored");
});

it("a repeat of a merchant reference names the first economic field that differs", () => {
  const original = sampleTopup();
  const changes = [
    {},
    { destinationAmount: 1n },
    { destinationCurrency: "MXN" },
    { sourceType: "manual" },
    { provider: "other" },
    { sourceCurrency: "USDC" },
    { rate: "5.440000", country: "MX" },
  ];
  const repeats = changes.map((change) => ({ ...original, ...change }) as typeof original);
  expect(repeats.map((repeat) => differingTopupField(original, repeat, repeat.provider))).toEqual([
    null,
    "destination.amount",
    "destination.currency",
    "source.type",
    "source.provider",
    "source.currency",
    null,
  ]);
});
