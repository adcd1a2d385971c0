import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Forbidden, ServiceError } from "./errors";
import {
  type ApproverStanding,
  decideApproval,
  decideCancel,
  decideLapse,
  decideScreeningRefusal,
  screeningHold,
} from "./payout-gate";
import { newPayoutIntent, type PayoutIntent } from "./payout-intent";
import { PAYOUT_STATUSES } from "./payout-transitions";
import { after, SCOPE, START, samplePayout } from "./testing/samples";
import type { Decision } from "./transition";

const now = after(60_000);
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
    const refusal = `The payout intent is ${status}; only a payout intent in requires_approval can be`;
    expect([toCancel.message, toApprove.message]).toEqual([`${refusal} cancelled.`, `${refusal} approved.`]);
  });

  it("a maker of a payout cannot approve it, nor a member whose authority is newer, nor somebody who is no member", () => {
    const refusal = (standing: ApproverStanding) => refusalOf(() => decideApproval(samplePayout(), standing, now));
    const [maker, newcomer] = [{ isMaker: true }, { authorityFrom: after(1) }].map((standing) =>
      refusal({ ...APPROVER, ...standing }),
    );
    expect([maker?.code, newcomer?.code]).toEqual(["approval_required", "approval_required"]);
    expect(maker?.message).toContain("another member must approve it");
    expect(newcomer?.message).toContain("older than your authority");
    const stranger = () => decideApproval(samplePayout(), { ...APPROVER, authorityFrom: null }, now);
    expect(stranger).toThrow(new Forbidden("Only a member can approve a payout."));
    expect(decideApproval(samplePayout(), APPROVER, now).plan.after.status).toBe("processing");
  });

  it("lapses to cancelled at the gate and is ignored anywhere else", () => {
    expect(decideLapse(samplePayout(), now)).toMatchObject({
      plan: {
        trigger: "lapse",
        after: { status: "cancelled", failure: { code: "cancelled", message: "Not approved within 7 days." } },
        transactions: [{ reason: "payout_release" }],
      },
    });
    for (const status of elsewhere) expect(decideLapse(samplePayout(status), now).kind).toBe("ignored");
  });
});

describe("screening", () => {
  it("that refuses a payout cancels it, gives its hold back and says no more than that it was not sent", () => {
    expect(decideScreeningRefusal(samplePayout("processing"), now)).toMatchObject({
      kind: "planned",
      plan: {
        trigger: "screening_refused",
        after: { status: "cancelled", failure: { code: "cancelled", message: "Refused before it was sent." } },
        eventType: "payout_intent.cancelled",
        transactions: [{ reason: "payout_release" }],
      },
    });
  });

  it.each(PAYOUT_STATUSES.filter((status) => status !== "processing"))(
    "that refuses a payout which is %s changes nothing",
    (status) => {
      expect(decideScreeningRefusal(samplePayout(status), now).kind).toBe("ignored");
    },
  );

  it("that holds a payout opens one exception per payout, with the screener's reason and reference", () => {
    expect(screeningHold("word_1", { reason: "Name on a list.", reference: "scr_9" })).toEqual({
      kind: "screening_hold",
      objectId: "word_1",
      fact: "screening_hold:word_1",
      detail: { why: "Name on a list.", screening_reference: "scr_9" },
    });
  });
});
