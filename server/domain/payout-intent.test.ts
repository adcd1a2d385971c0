import { describe, expect, it } from "vitest";
import type { PayoutOutcome } from "./outcome";
import {
  decideOnPayoutOutcome,
  decidePayoutReroute,
  movePayout,
  newPayoutIntent,
  nextPayoutPoll,
} from "./payout-intent";
import { differingPayoutField } from "./payout-repeat";
import { PAYOUT_STATUSES, type PayoutStatus } from "./payout-transitions";
import { onlyProvider } from "./routing";
import { decidedWith } from "./testing/booked";
import { after, SCOPE, START, samplePayout } from "./testing/samples";
import type { Failure } from "./transition";

const now = after(60_000);

/** Where nothing is booked yet. */
const decide = (...news: Parameters<typeof decideOnPayoutOutcome>) => decidedWith(decideOnPayoutOutcome(...news));

it("a payout is sent under its own id, unless a reference of the merchant stands for it", () => {
  const { dispatchReference: _, ...fresh } = { ...samplePayout(), scope: SCOPE };
  expect(newPayoutIntent(fresh, START).intent.dispatchReference).toBe(fresh.id);
  const named = newPayoutIntent({ ...fresh, dispatchReference: "word_tag_hash" }, START);
  expect(named.intent.dispatchReference).toBe("word_tag_hash");
});

it("a change that the table does not allow is a mistake of the caller", () => {
  const move = () => movePayout(samplePayout("succeeded"), "cancel", now, null, []);
  expect(move).toThrow(RangeError);
  expect(move).toThrow("cancel cannot move a payout that is succeeded");
});

describe("provider reports", () => {
  const trace = { providerReference: "psp-1" };
  const settled: PayoutOutcome = { kind: "settled", amount: 25_000n, currency: "BRL", ...trace };

  const nobody = { code: "provider_unavailable", message: "No provider accepted the payout." } as const;
  it.each<[PayoutOutcome, PayoutStatus, Failure | null, string]>([
    [settled, "succeeded", null, "payout_settlement"],
    [
      { kind: "declined", message: "Closed.", ...trace },
      "failed",
      { code: "provider_declined", message: "Closed." },
      "payout_release",
    ],
    [
      { kind: "invalid_recipient", message: null, ...trace },
      "failed",
      { code: "invalid_recipient", message: null },
      "payout_release",
    ],
    [{ kind: "never_accepted", detail: "" }, "failed", nobody, "payout_release"],
  ])("%o ends a dispatched payout as %s with %o and books %s", (outcome, status, failure, reason) => {
    expect(decide(samplePayout("processing"), outcome, now)).toMatchObject({
      plan: {
        after: { status, dueAt: null, failure },
        eventType: `payout_intent.${status}`,
        transactions: [{ reason }],
      },
    });
  });

  it("never settles, fails or unlocks a payout that is not dispatched", () => {
    for (const status of PAYOUT_STATUSES.filter((other) => other !== "processing")) {
      expect(decide(samplePayout(status), settled, now).kind).not.toBe("planned");
      expect(decide(samplePayout(status), { kind: "never_accepted", detail: "" }, now).kind).toBe("ignored");
    }
  });

  it.each(["failed", "cancelled"] as const)("money that left for a payout that is %s is owed to suspense", (status) => {
    expect(decide(samplePayout(status), settled, now)).toMatchObject({
      kind: "unmatched_funds",
      reason: "late_money",
      transaction: {
        reason: "late_money",
        entries: [
          { account: "provider_clearing", amount: 25_000n },
          { account: "suspense", amount: -25_000n },
        ],
      },
    });
  });

  it.each([
    ["less", { amount: 24_999n }],
    ["more", { amount: 25_001n }],
    ["another currency", { currency: "USD" }],
  ])("a report of %s than held moves no money: a person resolves it", (_what, change) => {
    const decision = decide(samplePayout("processing"), { ...settled, ...change }, now);
    const { amount, currency } = { ...settled, ...change };
    expect(decision).toEqual({
      kind: "contradiction",
      exception: {
        kind: "contradiction",
        objectId: samplePayout().id,
        fact: `contradiction:${samplePayout().id}:settled ${amount} ${currency} ${settled.providerReference}`,
        detail: {
          why: "The provider reports a sum that differs from the payout's amount.",
          amount: "25000",
          currency: "BRL",
          reported_amount: String(amount),
          reported_currency: currency,
          provider_reference: settled.providerReference,
        },
      },
    });
  });

  it("a settlement without a sum is ignored", () => {
    expect(decide(samplePayout("processing"), { ...settled, amount: 0n }, now).kind).toBe("ignored");
  });
});

describe("a bank return", () => {
  const returned = { kind: "returned", amount: 25_000n, currency: "BRL", providerReference: "ret-1" } as const;

  it("of a settled payout goes back to the wallet, and the payout stays as it is", () => {
    expect(decide(samplePayout("succeeded"), returned, now)).toMatchObject({
      kind: "unmatched_funds",
      reason: "bank_return",
      transaction: { reason: "bank_return", entries: [{ account: "provider_clearing" }, { account: "available" }] },
    });
  });

  it("that is heard of before the settlement settles the payout too, so that the order makes no difference", () => {
    const decision = decide(samplePayout("processing"), returned, now);
    expect(decision).toMatchObject({
      plan: {
        after: { status: "succeeded", failure: null },
        eventType: "payout_intent.succeeded",
        transactions: [{ reason: "payout_settlement" }, { reason: "bank_return" }],
        exceptions: [{ kind: "bank_return", fact: `bank_return:${samplePayout().id}:ret-1` }],
      },
    });
  });

  it("of more than had left, or in another currency, is nobody's until a person decides", () => {
    for (const change of [{ amount: 25_001n }, { currency: "USD" }]) {
      for (const status of ["processing", "succeeded"] as const) {
        const decision = decide(samplePayout(status), { ...returned, ...change }, now);
        expect(decision).toMatchObject({
          reason: "amount_mismatch",
          transaction: { entries: [{}, { account: "suspense" }] },
        });
      }
    }
  });

  it.each(["failed", "cancelled"] as const)(
    "of a payout that is %s is kept in suspense, where what had left is owed, in either order",
    (status) => {
      const settled = { kind: "settled", amount: 25_000n, currency: "BRL", providerReference: "psp-1" } as const;
      const inSuspense = [returned, settled].map((news) => {
        const decision = decide(samplePayout(status), news, now);
        if (decision.kind !== "unmatched_funds") throw new TypeError(decision.kind);
        const { reason, transaction } = decision;
        return [reason, transaction.reason, transaction.entries[1]];
      });
      const entry = { account: "suspense", currency: "BRL" };
      expect(inSuspense).toEqual([
        ["late_money", "late_money", { ...entry, amount: 25_000n }],
        ["late_money", "late_money", { ...entry, amount: -25_000n }],
      ]);
    },
  );

  it("of nothing is ignored", () => {
    expect(decide(samplePayout("succeeded"), { ...returned, amount: 0n }, now).kind).toBe("ignored");
  });

  it("or a settlement, of a payout that awaits approval contradicts it and asks a person", () => {
    const atGate = samplePayout("requires_approval");
    for (const report of [returned, { ...returned, kind: "settled" } as const]) {
      expect(decide(atGate, report, now)).toEqual({
        kind: "contradiction",
        exception: {
          kind: "contradiction",
          objectId: atGate.id,
          fact: `contradiction:${atGate.id}:${report.kind} before dispatch by sandbox 25000 BRL ret-1`,
          detail: {
            why: `The provider reports "${report.kind}", but the payout awaits approval and was never sent.`,
            provider: "sandbox",
            reported_amount: "25000",
            reported_currency: "BRL",
            provider_reference: "ret-1",
          },
        },
      });
    }
  });
});

describe("a payout that its provider never accepted", () => {
  const routing = { ...onlyProvider("sandbox"), order: ["sandbox", "acme"] };
  const reroute = { to: "acme", reason: "never_accepted" } as const;

  it("goes to the next provider at once, without moving money or an event", () => {
    const intent = samplePayout("processing", { routing, dueAt: after(5_000) });
    expect(decidePayoutReroute(intent, reroute, now)).toEqual({
      kind: "planned",
      plan: {
        before: intent,
        after: {
          ...intent,
          provider: "acme",
          routing: { ...routing, left: [{ provider: "sandbox", reason: "never_accepted", at: now.toISOString() }] },
          revision: 1,
          updatedAt: now,
        },
        trigger: "reroute",
        eventType: null,
        transactions: [],
      },
    });
  });

  it.each(PAYOUT_STATUSES.filter((status) => status !== "processing"))("stays where it is once it is %s", (status) => {
    expect(decidePayoutReroute(samplePayout(status, { routing }), reroute, now).kind).toBe("ignored");
  });
});

it.each([
  [0, 0.5],
  [80, 10],
  [30 * 86_400, 600],
])("a payout that has stood still for %i s is polled again in %d s, without an end", (still, wait) => {
  const [intent, at] = [samplePayout("processing"), after(still * 1000)];
  expect(nextPayoutPoll(intent, at).getTime() - at.getTime()).toBe(wait * 1000);
});

it("a repeat of a merchant reference names the first economic field that differs", () => {
  const original = samplePayout();
  const to = (change: object) => differingPayoutField(original, { ...original, ...change });
  const recipient = (change: object) => to({ recipient: { ...original.recipient, ...change } });
  expect([to({}), to({ amount: 1n }), to({ currency: "MXN" }), to({ country: "MX" })]).toEqual([
    null,
    "amount",
    "currency",
    "country",
  ]);
  expect([recipient({ type: "card" }), recipient({ bankCode: "x" }), recipient({ holderName: "x" })]).toEqual([
    "recipient.type",
    "recipient.bank_code",
    "recipient.holder_name",
  ]);
});
