// How what is recorded beside an ended top-up is named: for the audit log, for the books, and for the person who decides.
import { describe, expect, it } from "vitest";
import { after, sampleTopup } from "./testing/samples";
import { valueOf } from "./topup-funds";
import { decideOnLateDrop, decideOnLateFunds, decideOnOtherToken } from "./topup-late";
import type { KnownTotals } from "./topup-step";
import type { TopupPolicy } from "./topup-terms";
import type { TopupStatus } from "./topup-transitions";

const ASKED = sampleTopup().sourceAmount;
const { id } = sampleTopup();
const NOW = after(60 * 60_000);
const FIRST: KnownTotals = { ordinal: 0, seen: null, reported: 0n, taken: 0n, dropped: 0n, restoredAt: null };
const FOURTH: KnownTotals = { ...FIRST, ordinal: 3 };
const OWN = { kind: "total", isOwnToken: true, token: "USDT", currency: "BRL" };

function ended(status: TopupStatus, policy: TopupPolicy = "hold") {
  const taken = status === "succeeded" ? ASKED : 0n;
  const policies = { overpayment: policy, underpayment: policy, latePayment: policy };
  return sampleTopup(status, { policies, seenAmount: taken, receivedAmount: taken, reportedAmount: taken });
}

function stepOf(decision: ReturnType<typeof decideOnLateFunds>, known = FIRST) {
  if (decision.kind !== "total") throw new TypeError(decision.reason);
  return decision.next(known);
}

const paid = (amount: bigint, isInTime: boolean) => ({ amount, isInTime, confirmed: true });

describe("funds that came in time after the success", () => {
  it.each(["hold", "refund"] as const)("wait for a person under the policy %s, as overpaid", (policy) => {
    const decision = decideOnLateFunds(ended("succeeded", policy), paid(2n * ASKED, true));
    expect(decision).toMatchObject(OWN);
    const uniqueKey = `topup_over:${id}:3`;
    expect(stepOf(decision, FOURTH)).toMatchObject({
      action: "suspense.amount_mismatch",
      base: ASKED,
      reported: 2n * ASKED,
      seen: 2n * ASKED,
      booking: {
        transaction: { reason: "amount_mismatch", uniqueKey, intentId: id },
        exception: { kind: "amount_mismatch", fact: uniqueKey, detail: { why: "overpaid", policy } },
      },
    });
  });

  it("are credited where the policy says so, and nobody is asked", () => {
    const step = stepOf(decideOnLateFunds(ended("succeeded", "credit_actual"), paid(2n * ASKED, true)));
    expect(step).toMatchObject({
      action: "wallet.overpayment",
      booking: { transaction: { reason: "topup_credit", uniqueKey: `topup_over:${id}:0` }, exception: null },
    });
  });

  it("are only recorded as seen until they are confirmed", () => {
    const seen = { ...paid(2n * ASKED, true), confirmed: false };
    expect(stepOf(decideOnLateFunds(ended("succeeded"), seen))).toEqual({
      action: "topup_total.seen",
      base: ASKED,
      reported: ASKED,
      seen: 2n * ASKED,
      booking: null,
    });
  });
});

describe("late funds", () => {
  it("wait for a person under the policy hold", () => {
    expect(stepOf(decideOnLateFunds(ended("expired"), paid(ASKED, false)), FOURTH)).toMatchObject({
      action: "suspense.late_money",
      booking: {
        transaction: { reason: "late_money", uniqueKey: `topup_late:${id}:3` },
        exception: { kind: "late_money", detail: { policy: "hold" } },
      },
    });
  });

  it("are credited where the policy says so, and nobody is asked", () => {
    expect(stepOf(decideOnLateFunds(ended("expired", "credit_actual"), paid(ASKED, false)))).toMatchObject({
      action: "wallet.late_money",
      booking: { transaction: { reason: "late_money" }, exception: null },
    });
  });
});

describe("funds that are gone after the end", () => {
  it("leave suspense short of what they were worth, once per step", () => {
    const decision = decideOnLateDrop(ended("succeeded"), 0n, NOW);
    expect(decision).toMatchObject(OWN);
    const value = valueOf(ASKED, sampleTopup());
    expect(stepOf(decision, FOURTH)).toMatchObject({
      action: "suspense.funds_dropped",
      seen: 0n,
      booking: {
        transaction: {
          reason: "funds_dropped",
          uniqueKey: `funds_dropped:${id}:3`,
          entries: [
            { account: "suspense", currency: "BRL", amount: -value },
            { account: "provider_clearing", currency: "BRL", amount: value },
          ],
        },
        exception: { kind: "funds_dropped", fact: `funds_dropped:${id}:3` },
      },
    });
  });

  it("and were only seen, of a success, are recorded without a booking", () => {
    const seenMore = { ...ended("succeeded"), seenAmount: 2n * ASKED };
    const totals = { base: ASKED, reported: ASKED, seen: ASKED };
    expect(stepOf(decideOnLateDrop(seenMore, ASKED, NOW))).toEqual({
      action: "topup_total.seen",
      ...totals,
      booking: null,
    });
  });

  it.each(["failed", "expired"] as const)("and were only seen, of a top-up that is %s, are nothing", (status) => {
    expect(stepOf(decideOnLateDrop({ ...ended(status), seenAmount: ASKED }, 0n, NOW))).toBeNull();
  });
});

describe("funds that a person has restored", () => {
  const restored = { ...FIRST, restoredAt: after(5_000) };

  it.each([
    ["before", 4_999, undefined],
    ["at", 5_000, "suspense.funds_dropped"],
    ["after", 5_001, "suspense.funds_dropped"],
  ])("are gone by a report from %s that moment only if it is not older", (_, ms, action) => {
    expect(stepOf(decideOnLateDrop(ended("succeeded"), 0n, after(ms)), restored)?.action).toBe(action);
  });
});

it("funds in another token are kept as they are, step by step, for a person", () => {
  const decision = decideOnOtherToken(id, "USDC", 500n);
  expect(decision).toMatchObject({ kind: "total", isOwnToken: false, token: "USDC", currency: "USDC" });
  expect(decision.next({ ...FOURTH, reported: 200n, taken: 200n })).toMatchObject({
    action: "suspense.amount_mismatch",
    base: 200n,
    reported: 500n,
    seen: 0n,
    booking: {
      transaction: {
        reason: "amount_mismatch",
        uniqueKey: `other_token:${id}:3`,
        entries: [
          { account: "provider_clearing", currency: "USDC", amount: -300n },
          { account: "suspense", currency: "USDC", amount: 300n },
        ],
      },
      exception: { kind: "amount_mismatch", objectId: id, fact: `other_token:${id}:3` },
    },
  });
});
