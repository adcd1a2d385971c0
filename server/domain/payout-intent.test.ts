import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Forbidden, ServiceError } from "./errors";
import type { PayoutOutcome } from "./outcome";
import { type ApproverStanding, decideApproval, decideCancel, decideLapse } from "./payout-gate";
import { decideOnPayoutOutcome, newPayoutIntent, type PayoutIntent } from "./payout-intent";
import { differingPayoutField } from "./payout-repeat";
import { PAYOUT_STATUSES, type PayoutStatus } from "./payout-transitions";
import { decidedWith } from "./testing/booked";
import { after, SCOPE, START, samplePayout } from "./testing/samples";
import type { Decision } from "./transition";

const now = after(60_000);

/** Where nothing is booked yet. */
const decide = (...news: Parameters<typeof decideOnPayoutOutcome>) => decidedWith(decideOnPayoutOutcome(...news));
const APPROVER: ApproverStanding = { isMaker: false, authorityFrom: START };
const elsewhere = PAYOUT_STATUSES.filter((status) => status !== "requires_approval");

function refusalOf(decide: () => unknown): ServiceError {
  try {
    decide();
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error("nothing was refused");
}

const ACTS = {
  approve: (intent: PayoutIntent): Decision<PayoutIntent> => decideApproval(intent, APPROVER, now),
  cancel: (intent: PayoutIntent): Decision<PayoutIntent> => decideCancel(intent, null, now),
  lapse: (intent: PayoutIntent): Decision<PayoutIntent> => decideLapse(intent, now),
};

describe("the approval gate", () => {
  it.each([
    [0, "processing", START],
    [1, "requires_approval", after(7 * 24 * 3_600_000)],
  ])("%i approvals required makes a payout %s, due at %s, with its funds held", (approvalsRequired, status, dueAt) => {
    const { status: _s, revision: _r, failure: _f, createdAt: _c, updatedAt: _u, dueAt: _d, ...rest } = samplePayout();
    const { intent, transactions } = newPayoutIntent({ ...rest, scope: SCOPE, approvalsRequired }, START);
    expect(intent).toMatchObject({ status, dueAt, revision: 0, approvalsGiven: 0, failure: null });
    expect(transactions).toMatchObject([
      {
        reason: "payout_hold",
        entries: [
          { account: "available", amount: -25_000n },
          { account: "held", amount: 25_000n },
        ],
      },
    ]);
  });

  it("cancelling releases the hold and carries the reason, or null without one", () => {
    for (const reason of ["Duplicate.", null]) {
      const { plan } = decideCancel(samplePayout(), reason, now);
      expect(plan).toMatchObject({
        after: { status: "cancelled", failure: { code: "cancelled", message: reason }, dueAt: null, updatedAt: now },
        eventType: "payout_intent.cancelled",
        transactions: [
          { reason: "payout_release", entries: [{ account: "held", amount: -25_000n }, { account: "available" }] },
        ],
      });
    }
  });

  it("approving sends the payout to dispatch at once, without moving money or an event", () => {
    const { plan } = decideApproval(samplePayout(), APPROVER, now);
    expect(plan).toMatchObject({ after: { status: "processing", dueAt: now }, eventType: null, transactions: [] });
  });

  it("opens with the last approval required; until then it keeps its time to lapse and counts", () => {
    const lapse = samplePayout().dueAt;
    let intent = samplePayout("requires_approval", { approvalsRequired: 3, dueAt: after(1) });
    for (const approvalsGiven of [1, 2]) {
      const { plan } = decideApproval(intent, APPROVER, now);
      const gate = { status: "requires_approval", approvalsGiven, revision: approvalsGiven, dueAt: lapse };
      expect(plan).toMatchObject({ trigger: "approve_partly", after: gate, eventType: null, transactions: [] });
      intent = plan.after;
    }
    const opened = { status: "processing", approvalsGiven: 3, revision: 3, dueAt: now };
    expect(decideApproval(intent, APPROVER, now).plan).toMatchObject({ trigger: "approve", after: opened });
    expect(decideCancel(intent, null, now).plan.after).toMatchObject({ status: "cancelled", approvalsGiven: 2 });
  });

  it("after any sequence of approvals, cancellations and the lapse is open with every approval, ended without, or closed", () => {
    const act = fc.constantFrom("approve" as const, "cancel" as const, "lapse" as const);
    const property = fc.property(fc.integer({ min: 1, max: 3 }), fc.array(act, { maxLength: 8 }), (required, acts) => {
      let intent = samplePayout("requires_approval", { approvalsRequired: required });
      for (const name of acts) {
        if (intent.status !== "requires_approval") break;
        const decision = ACTS[name](intent);
        expect(decision.kind).toBe("planned");
        if (decision.kind === "planned") intent = decision.plan.after;
      }
      const counts = acts.findIndex((name) => name !== "approve");
      const given = Math.min(counts === -1 ? acts.length : counts, required);
      const ended = counts !== -1 && given < required;
      const status = given === required ? "processing" : ended ? "cancelled" : "requires_approval";
      expect([intent.status, intent.approvalsGiven, intent.revision]).toEqual([status, given, given + (ended ? 1 : 0)]);
    });
    fc.assert(property);
  });

  it.each(elsewhere)("neither cancelled nor approved once it is %s, and the message names that status", (status) => {
    const intent = samplePayout(status);
    const toCancel = refusalOf(() => decideCancel(intent, "why", now));
    const toApprove = refusalOf(() => decideApproval(intent, APPROVER, now));
    expect([toCancel.code, toApprove.code]).toEqual(["approval_required", "approval_required"]);
    expect(toCancel.message).toContain(` ${status};`);
    expect(toApprove.message).toContain(` ${status};`);
  });

  it("a maker of a payout cannot approve it, nor a member whose authority is newer, nor somebody who is no member", () => {
    const codeOf = (standing: ApproverStanding) =>
      refusalOf(() => decideApproval(samplePayout(), standing, now)).message;
    expect(codeOf({ ...APPROVER, isMaker: true })).toContain("another member must approve it");
    expect(codeOf({ ...APPROVER, authorityFrom: after(1) })).toContain("older than your authority");
    expect(() => decideApproval(samplePayout(), { ...APPROVER, authorityFrom: null }, now)).toThrow(Forbidden);
    expect(decideApproval(samplePayout(), APPROVER, now).plan.after.status).toBe("processing");
  });

  it("lapses to cancelled at the gate and is ignored anywhere else", () => {
    expect(decideLapse(samplePayout(), now)).toMatchObject({
      plan: { trigger: "lapse", after: { status: "cancelled", failure: { code: "cancelled" } } },
    });
    for (const status of elsewhere) expect(decideLapse(samplePayout(status), now).kind).toBe("ignored");
  });
});

describe("provider reports", () => {
  const trace = { providerReference: "psp-1" };
  const settled: PayoutOutcome = { kind: "settled", amount: 25_000n, currency: "BRL", ...trace };

  it.each<[PayoutOutcome, PayoutStatus, string | null, string]>([
    [settled, "succeeded", null, "payout_settlement"],
    [{ kind: "declined", message: "Closed.", ...trace }, "failed", "provider_declined", "payout_release"],
    [{ kind: "invalid_recipient", message: null, ...trace }, "failed", "invalid_recipient", "payout_release"],
    [{ kind: "never_accepted", detail: "" }, "failed", "provider_unavailable", "payout_release"],
  ])("%o ends a dispatched payout as %s with %s and books %s", (outcome, status, code, reason) => {
    const decision = decide(samplePayout("processing"), outcome, now);
    expect(decision).toMatchObject({
      plan: { after: { status, dueAt: null }, eventType: `payout_intent.${status}`, transactions: [{ reason }] },
    });
    expect(decision.kind === "planned" && (decision.plan.after.failure?.code ?? null)).toBe(code);
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
        return decision.kind === "unmatched_funds" && [decision.reason, decision.transaction.entries[1]];
      });
      const entry = { account: "suspense", currency: "BRL" };
      expect(inSuspense).toEqual([
        ["late_money", { ...entry, amount: 25_000n }],
        ["late_money", { ...entry, amount: -25_000n }],
      ]);
    },
  );

  it("of nothing is ignored", () => {
    expect(decide(samplePayout("succeeded"), { ...returned, amount: 0n }, now).kind).toBe("ignored");
  });

  it("or a settlement, of a payout that awaits approval contradicts it and asks a person", () => {
    const atGate = samplePayout("requires_approval");
    for (const report of [returned, { ...returned, kind: "settled" } as const]) {
      expect(decide(atGate, report, now)).toMatchObject({
        kind: "contradiction",
        exception: {
          kind: "contradiction",
          objectId: atGate.id,
          detail: { reported_amount: report.amount.toString() },
        },
      });
    }
  });
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
  expect([recipient({ bankCode: "x" }), recipient({ holderName: "x" })]).toEqual([
    "recipient.bank_code",
    "recipient.holder_name",
  ]);
});
