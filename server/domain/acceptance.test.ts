// Proves what counts as evidence of acceptance, and which reports of it contradict the course of an intent.
import { describe, expect, it } from "vitest";
import { bindsIntent, denialException, showsAcceptance, unexpectedAcceptance } from "./acceptance";
import { ADDRESS, QR } from "./testing/samples";

const PENDING = { kind: "pending", providerReference: null } as const;

describe("evidence of acceptance", () => {
  it("is every answer but a denial, a call that was not made and an unknown outcome", () => {
    for (const outcome of ["pending", "requires_action", "instructions", "settled", "succeeded", "declined"]) {
      expect([outcome, showsAcceptance(outcome)]).toEqual([outcome, true]);
    }
    for (const outcome of [null, "never_accepted", "not_sent", "unknown"]) {
      expect([outcome, showsAcceptance(outcome)]).toEqual([outcome, false]);
    }
  });

  it("in a callback is not a final refusal: no money will move", () => {
    const trace = { providerReference: null };
    const refusals = [
      { kind: "declined", message: null, ...trace },
      { kind: "invalid_recipient", message: null, ...trace },
      { kind: "cancelled", ...trace },
      { kind: "expired", ...trace },
    ] as const;
    expect(refusals.filter(bindsIntent)).toEqual([]);
    expect([bindsIntent(PENDING), bindsIntent({ kind: "unknown", detail: "" })]).toEqual([true, false]);
  });
});

it("a provider's denial of what it accepted opens one exception for the two, and promises that nothing moves", () => {
  const { kind, fact, detail } = denialException("word_1", "acme");
  expect([kind, fact, detail.provider]).toEqual(["contradiction", "contradiction:word_1:acme", "acme"]);
  expect(detail.why).toBe(
    "The provider accepted the intent and now reports that it never did. Sluice neither sends it again, fails it nor releases its hold.",
  );
});

describe("a report of acceptance", () => {
  const intent = { id: "word_1", status: "processing", provider: "a", failure: null };

  it("contradicts nothing when the intent is at its provider", () => {
    expect(unexpectedAcceptance(intent, "a", PENDING)).toBeNull();
  });

  it("contradicts a failure for want of a provider, a payout that was never sent, and another provider's intent", () => {
    const failure = { code: "provider_unavailable", message: null } as const;
    const facts = [
      unexpectedAcceptance({ ...intent, status: "failed", failure }, "a", PENDING),
      unexpectedAcceptance({ ...intent, status: "requires_approval" }, "a", PENDING),
      unexpectedAcceptance({ ...intent, status: "cancelled" }, "a", PENDING),
      unexpectedAcceptance(intent, "b", PENDING),
    ].map((contradiction) => contradiction?.exception);
    expect(facts.map((fact) => [fact?.kind, fact?.fact])).toEqual([
      ["contradiction", "contradiction:word_1:a"],
      ["contradiction", "contradiction:word_1:a"],
      ["contradiction", "contradiction:word_1:a"],
      ["contradiction", "contradiction:word_1:b"],
    ]);
    const start = "The provider reports that it accepted the intent, but";
    expect(facts.map((fact) => fact?.detail)).toEqual([
      { provider: "a", why: `${start} the intent had failed because no provider had accepted it.` },
      { provider: "a", why: `${start} the intent awaits approval and was never sent.` },
      { provider: "a", why: `${start} the intent was cancelled and never sent.` },
      { provider: "b", why: `${start} a has the intent.` },
    ]);
  });

  it.each<Parameters<typeof unexpectedAcceptance>[2]>([
    PENDING,
    { kind: "requires_action", nextAction: QR, providerReference: null },
    { kind: "instructions", nextAction: ADDRESS, providerReference: null },
  ])("is $kind", (outcome) => {
    expect(unexpectedAcceptance(intent, "b", outcome)?.kind).toBe("contradiction");
  });

  it("is no report of money, which has an exception of its own, and no refusal", () => {
    const settled = { kind: "settled", amount: 1n, currency: "BRL", providerReference: null } as const;
    const declined = { kind: "declined", message: null, providerReference: null } as const;
    for (const outcome of [settled, declined]) expect(unexpectedAcceptance(intent, "b", outcome)).toBeNull();
  });
});
