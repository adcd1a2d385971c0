import { describe, expect, it } from "vitest";
import type { PaymentOutcome } from "./outcome";
import {
  decideExpiry,
  decideOnPaymentOutcome,
  decidePaymentReroute,
  newPaymentIntent,
  nextPaymentPoll,
} from "./payment-intent";
import { findPaymentMethod } from "./payment-methods";
import { differingPaymentField } from "./payment-repeat";
import { PAYMENT_STATUSES, type PaymentStatus } from "./payment-transitions";
import { undecidedException } from "./pending-payment";
import { onlyProvider } from "./routing";
import { decidedWith } from "./testing/booked";
import { after, QR, SCOPE, START, samplePayment } from "./testing/samples";

const now = after(10_000);

/** Where nothing is booked yet. */
const decide = (...news: Parameters<typeof decideOnPaymentOutcome>) => decidedWith(decideOnPaymentOutcome(...news));
const trace = { providerReference: "psp-1" };
const paid: PaymentOutcome = { kind: "succeeded", receiptId: null, amount: 1050n, currency: "BRL", ...trace };

describe("a new payment", () => {
  const pix = findPaymentMethod("BR_PIX");
  if (!pix) throw new RangeError("no BR_PIX");
  const fresh = (changes: Partial<Parameters<typeof newPaymentIntent>[0]> = {}) => {
    const { dispatchReference: _, ...sample } = samplePayment();
    const input = { ...sample, scope: SCOPE, method: pix, checkoutMode: "direct", ...changes } as const;
    return newPaymentIntent(input, START, after(4_000));
  };

  it("is processing, waits for its provider's answer, and expires when its method's time is over", () => {
    expect(fresh()).toMatchObject({
      status: "processing",
      revision: 0,
      currency: "BRL",
      paymentMethod: "BR_PIX",
      nextAction: null,
      payerActedAt: null,
      failure: null,
      createdAt: START,
      updatedAt: START,
      dueAt: after(4_000),
      expiresAt: after(30 * 60_000),
    });
  });

  it("shows the payer the method's own way, or redirects to our page where checkout is hosted", () => {
    const code = { ...pix, nextActionType: "display_qr_code" } as const;
    const modes = ["direct", "hosted"] as const;
    const shown = modes.map((checkoutMode) => fresh({ method: code, checkoutMode }).nextActionType);
    expect(shown).toEqual(["display_qr_code", "redirect_to_url"]);
  });

  it("is sent under its own id, unless a reference of the merchant stands for it", () => {
    expect(fresh().dispatchReference).toBe(fresh().id);
    expect(fresh({ dispatchReference: "dord_tag_hash" }).dispatchReference).toBe("dord_tag_hash");
  });
});

describe("a payment that its provider never accepted", () => {
  const routing = { ...onlyProvider("sandbox"), order: ["sandbox", "acme", "other"] };
  const reroute = { to: "acme", reason: "never_accepted" } as const;
  const left = (provider: string) => ({ provider, reason: "never_accepted", at: now.toISOString() }) as const;

  it("goes to the next provider at once, without money or an event, and may move on from there", () => {
    const intent = samplePayment("processing", { routing });
    const decision = decidePaymentReroute(intent, reroute, now);
    expect(decision).toEqual({
      kind: "planned",
      plan: {
        before: intent,
        after: {
          ...intent,
          provider: "acme",
          routing: { ...routing, left: [left("sandbox")] },
          revision: 1,
          updatedAt: now,
        },
        trigger: "reroute",
        eventType: null,
        transactions: [],
      },
    });
    if (decision.kind !== "planned") throw new Error("no plan");
    const again = decidePaymentReroute(decision.plan.after, { ...reroute, to: "other" }, now);
    expect(again).toMatchObject({
      plan: { after: { provider: "other", routing: { left: [left("sandbox"), left("acme")] }, revision: 2 } },
    });
  });

  it("stays with its provider once anything else is known of it", () => {
    const known = samplePayment("processing", { routing, revision: 1 });
    expect(decidePaymentReroute(known, reroute, now).kind).toBe("ignored");
  });

  it.each(PAYMENT_STATUSES.filter((status) => status !== "processing"))("stays where it is once it is %s", (status) => {
    expect(decidePaymentReroute(samplePayment(status, { routing }), reroute, now).kind).toBe("ignored");
  });
});

describe("reports that end a payment", () => {
  it.each<[PaymentOutcome, PaymentStatus, string | null, string | null]>([
    [paid, "succeeded", null, null],
    [{ kind: "declined", message: "No funds.", ...trace }, "failed", "provider_declined", "No funds."],
    [{ kind: "declined", message: null, ...trace }, "failed", "provider_declined", null],
    [{ kind: "cancelled", ...trace }, "failed", "cancelled", "The customer cancelled the payment."],
    [{ kind: "expired", ...trace }, "expired", "expired", "The payment was not completed in time."],
    [
      { kind: "never_accepted", detail: "unknown reference" },
      "failed",
      "provider_unavailable",
      "No provider accepted the payment.",
    ],
  ])("%o gives %s with failure %s: %s, one event, and no due time", (outcome, status, code, message) => {
    const decision = decide(samplePayment(), outcome, now);
    expect(decision).toMatchObject({
      kind: "planned",
      plan: {
        before: { status: "processing", revision: 0 },
        after: { status, revision: 1, dueAt: null, nextAction: null, updatedAt: now },
        eventType: `payment_intent.${status}`,
      },
    });
    if (decision.kind !== "planned") throw new Error("no plan");
    expect(decision.plan.after.failure).toEqual(code === null ? null : { code, message });
    expect(decision.plan.transactions).toHaveLength(status === "succeeded" ? 1 : 0);
  });

  it("success credits the wallet with the intent's own amount", () => {
    const decision = decide(samplePayment("requires_action"), paid, now);
    expect(decision).toMatchObject({
      plan: {
        trigger: "provider_succeeded",
        transactions: [
          {
            reason: "payment_credit",
            uniqueKey: "receipt:dord_01h455vb4pex5vsknk084sn02q:psp-1:BRL:1050",
            entries: [
              { account: "provider_clearing", currency: "BRL", amount: -1050n },
              { account: "available", currency: "BRL", amount: 1050n },
            ],
          },
        ],
      },
    });
  });

  it("success whose money is booked already, when it is recorded, asks a person instead", () => {
    const { id } = samplePayment();
    expect(decide(samplePayment(), paid, now)).toMatchObject({
      plan: { ifBooked: { kind: "ambiguous", exception: { kind: "ambiguous_receipt", objectId: id } } },
    });
  });
});

describe("reports that do not end a payment", () => {
  it("shows the customer what to do, without an event", () => {
    const decision = decide(samplePayment(), { kind: "requires_action", nextAction: QR, ...trace }, now);
    expect(decision).toMatchObject({ plan: { after: { status: "requires_action", nextAction: QR }, eventType: null } });
  });

  it("takes the next action away once the payer has acted", () => {
    const decision = decide(samplePayment("requires_action"), { kind: "pending", ...trace }, now);
    expect(decision).toMatchObject({ plan: { after: { status: "processing", nextAction: null }, eventType: null } });
  });

  it("is polled soon again while its provider has not answered", () => {
    expect(nextPaymentPoll(samplePayment(), START)).toEqual(after(500));
    expect(nextPaymentPoll(samplePayment(), after(80_000), "callbacks")).toEqual(after(90_000));
  });

  it("is next polled no later than the end of the window", () => {
    const intent = samplePayment("processing", { expiresAt: after(11_000) });
    const decision = decide(intent, { kind: "requires_action", nextAction: QR, ...trace }, now);
    expect(decision).toMatchObject({ plan: { after: { dueAt: after(11_000) } } });
  });

  it.each<PaymentStatus>(["processing", "requires_action"])("an unknown outcome leaves %s as it is", (status) => {
    const decision = decide(samplePayment(status), { kind: "unknown", detail: "time-out" }, now);
    expect(decision).toEqual({ kind: "ignored", reason: "time-out" });
  });

  it("a provider that claims never to have accepted a payment it gave instructions for is not believed", () => {
    const decision = decide(samplePayment("requires_action"), { kind: "never_accepted", detail: "" }, now);
    expect(decision.kind).toBe("ignored");
  });
});

describe("a payment whose payer has acted", () => {
  const pending: PaymentOutcome = { kind: "pending", ...trace };
  const shown: PaymentOutcome = { kind: "requires_action", nextAction: QR, ...trace };
  const acted = after(5_000);

  it.each<PaymentStatus>(["processing", "requires_action"])(
    "is processing and known to have acted, from %s",
    (status) => {
      const decision = decide(samplePayment(status), pending, now);
      expect(decision).toMatchObject({
        plan: { trigger: "provider_pending", after: { status: "processing", payerActedAt: now }, eventType: null },
      });
      if (decision.kind !== "planned") throw new Error("no plan");
      expect(decide(decision.plan.after, pending, after(20_000)).kind).toBe("ignored");
    },
  );

  it("is not reopened by instructions from between two actions of the payer in one millisecond", () => {
    const acted = decide(samplePayment("requires_action"), pending, now);
    if (acted.kind !== "planned") throw new Error(acted.kind);
    const first = acted.plan.after.payerActedAt;
    const instructions = { kind: "requires_action", nextAction: QR, ...trace } as const;
    const reopened = decide(acted.plan.after, instructions, now, first);
    if (reopened.kind !== "planned") throw new Error(reopened.kind);
    const again = decide(reopened.plan.after, pending, now);
    if (again.kind !== "planned") throw new Error(again.kind);
    expect(decide(again.plan.after, instructions, now, first).kind).toBe("ignored");
  });

  it("does not expire by time while it is pending, and does by its provider's report", () => {
    const intent = samplePayment("processing", { payerActedAt: acted });
    expect(decideExpiry(intent, after(9_000_000)).kind).toBe("ignored");
    const reported = decide(intent, { kind: "expired", ...trace }, now);
    expect(reported).toMatchObject({ plan: { trigger: "provider_expired", after: { status: "expired" } } });
  });

  it("was accepted: a provider that claims otherwise is not believed", () => {
    const intent = samplePayment("processing", { payerActedAt: acted });
    expect(decide(intent, { kind: "never_accepted", detail: "" }, now).kind).toBe("ignored");
  });

  it("is reopened only by instructions of a call that began when that was known", () => {
    const intent = samplePayment("processing", { payerActedAt: acted });
    expect(decide(intent, shown, now).kind).toBe("ignored");
    expect(decide(intent, shown, now, after(4_000)).kind).toBe("ignored");
    const reopened = decide(intent, shown, now, new Date(acted));
    expect(reopened).toMatchObject({ plan: { after: { status: "requires_action", payerActedAt: acted } } });
    if (reopened.kind !== "planned") throw new Error("no plan");
    expect(decideExpiry(reopened.plan.after, now)).toMatchObject({ plan: { after: { status: "expired" } } });
    const again = decide(reopened.plan.after, pending, after(30_000));
    expect(again).toMatchObject({ plan: { after: { status: "processing", payerActedAt: after(30_000) } } });
  });

  it("is polled further past its window, at the end of the wait for a decision at the latest", () => {
    const intent = samplePayment("processing", { payerActedAt: acted, updatedAt: acted });
    const almost = after(5_000 + 259_200_000 - 1_000);
    expect(nextPaymentPoll(intent, almost)).toEqual(after(5_000 + 259_200_000));
    expect(nextPaymentPoll(intent, after(2_000_000)).getTime()).toBeGreaterThan(intent.expiresAt.getTime());
    expect(undecidedException(intent, almost)).toBeNull();
  });

  it.each([
    ["BR_PIX", 72],
    ["BR_BOLETO", 120],
    ["a method of a later release", 72],
  ])("asks a person once its provider has not decided in time: by %s, within %i hours", (paymentMethod, hours) => {
    const intent = samplePayment("processing", { payerActedAt: acted, updatedAt: acted, paymentMethod });
    const deadline = 5_000 + hours * 3_600_000;
    expect(undecidedException(intent, after(deadline - 1))).toBeNull();
    expect(undecidedException(intent, after(deadline))).toEqual({
      kind: "stuck",
      objectId: intent.id,
      fact: `stuck:${intent.id}:undecided`,
      detail: { why: `The payer has acted, and the provider has not reported the result within ${hours} hours.` },
    });
  });
});

describe("money that may not be credited", () => {
  it.each<PaymentStatus>(["failed", "expired"])("goes to suspense when the payment is %s", (status) => {
    expect(decide(samplePayment(status), paid, now)).toMatchObject({
      kind: "unmatched_funds",
      reason: "late_money",
      transaction: {
        reason: "late_money",
        uniqueKey: "receipt:dord_01h455vb4pex5vsknk084sn02q::BRL:1050",
        intentId: "dord_01h455vb4pex5vsknk084sn02q",
        entries: [
          { account: "provider_clearing", currency: "BRL", amount: -1050n },
          { account: "suspense", currency: "BRL", amount: 1050n },
        ],
      },
    });
  });

  it.each([
    ["less", 1049n, "BRL"],
    ["more", 1051n, "BRL"],
    ["another currency", 1050n, "USD"],
  ])("goes to suspense when it is %s than asked for, as received", (_what, amount, currency) => {
    const decision = decide(samplePayment(), { ...paid, amount, currency }, now);
    expect(decision).toMatchObject({
      kind: "unmatched_funds",
      reason: "amount_mismatch",
      transaction: {
        entries: [
          { amount: -amount, currency },
          { account: "suspense", amount, currency },
        ],
      },
    });
  });

  it("a sum of nothing is no money: there is nothing to book", () => {
    expect(decide(samplePayment(), { ...paid, amount: 0n }, now).kind).toBe("ignored");
    expect(decide(samplePayment("expired"), { ...paid, amount: 0n }, now).kind).toBe("ignored");
  });

  it("success told twice comes under the key of the credit, which is booked once", () => {
    const identified = { ...paid, receiptId: "r-1" };
    const credited = decide(samplePayment(), identified, now);
    const again = decide(samplePayment("succeeded"), identified, now);
    if (credited.kind !== "planned" || again.kind !== "unmatched_funds") throw new Error("not a credit and a repeat");
    expect(again.transaction.uniqueKey).toBe(credited.plan.transactions[0]?.uniqueKey);
  });

  it("a second payment of what was paid already goes to suspense under the id of its receipt", () => {
    const second = decide(samplePayment("succeeded"), { ...paid, receiptId: "r-2" }, now);
    expect(second).toMatchObject({
      kind: "unmatched_funds",
      reason: "late_money",
      transaction: { reason: "late_money", uniqueKey: `receipt_id:${samplePayment().id}:sandbox:r-2` },
      detail: { receipt_id: "r-2", provider_reference: "psp-1" },
    });
  });
});

it.each<PaymentStatus>(["succeeded", "failed", "expired"])("a payment that is %s does not expire", (status) => {
  expect(decideExpiry(samplePayment(status), now).kind).toBe("ignored");
});

describe("a repeat of a merchant reference", () => {
  const original = samplePayment();
  it.each([
    ["amount", { amount: 1051n }],
    ["currency", { currency: "USD" }],
    ["country", { country: "MX" }],
    ["payment_method", { paymentMethod: "BR_BOLETO" }],
  ])("that differs in %s is told so", (field, change) => {
    expect(differingPaymentField(original, { ...original, ...change })).toBe(field);
  });

  it("with another customer is a simple repeat", () => {
    expect(differingPaymentField(original, { ...original, customer: { name: "Other" } } as typeof original)).toBeNull();
  });
});
