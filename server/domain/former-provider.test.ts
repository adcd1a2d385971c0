// Proves that money from a provider that does not have the intent is kept apart once, and that it moves nothing else.
import { expect, it } from "vitest";
import type { BookedMovement } from "./booked-movement";
import { decideOnFormerProvider } from "./former-provider";
import { movementsOf } from "./testing/booked";
import { samplePayout } from "./testing/samples";

const INTENT = samplePayout("processing");
const SUM = { amount: 100n, currency: "BRL", providerReference: "p1" };

type Outcome = Parameters<typeof decideOnFormerProvider>[2];

function decide(outcome: Outcome, booked: readonly BookedMovement[] = []) {
  const decision = decideOnFormerProvider(INTENT, "acme", outcome);
  return decision.kind === "depends_on_books" ? decision.decide(booked) : decision;
}

/** What the outcome books first. */
function bookedBy(outcome: Outcome): BookedMovement {
  const decision = decide(outcome);
  if (decision.kind !== "unmatched_funds") throw new TypeError(`${outcome.kind} books nothing`);
  const [movement] = movementsOf([decision.transaction]);
  if (!movement) throw new TypeError(`${outcome.kind} moves nothing`);
  return { ...movement, reference: "p1" };
}

it.each([
  ["succeeded", { kind: "succeeded", receiptId: null, ...SUM }, 100n, "acme:"],
  ["settled", { kind: "settled", ...SUM }, -100n, "acme:p1"],
  ["returned", { kind: "returned", ...SUM }, 100n, "acme returned:p1"],
] as const)("%s is booked to suspense, balanced, under the provider's name", (_kind, outcome, amount, name) => {
  const decision = decide(outcome);
  expect(decision).toMatchObject({ kind: "unmatched_funds", reason: "late_money" });
  const transaction = decision.kind === "unmatched_funds" ? decision.transaction : null;
  // Later releases must find the key again, or they would book the money twice.
  const uniqueKey = `receipt:${INTENT.id}:${name}:BRL:${amount}`;
  expect(transaction).toMatchObject({ reason: "late_money", provider: "acme", uniqueKey });
  expect(transaction?.entries).toEqual([
    { account: "provider_clearing", currency: "BRL", amount: -amount },
    { account: "suspense", currency: "BRL", amount },
  ]);
});

it.each(["succeeded", "settled", "returned"] as const)("%s is booked once, and nothing is booked in doubt", (kind) => {
  const outcome = { kind, receiptId: null, ...SUM };
  expect(decide(outcome, [bookedBy(outcome)])).toMatchObject({ kind: "ignored" });
  expect(decide({ ...outcome, providerReference: null }, [bookedBy(outcome)])).toMatchObject({ kind: "ambiguous" });
  expect(decide({ ...outcome, amount: 99n, providerReference: "p2" }, [bookedBy(outcome)]).kind).toBe(
    "unmatched_funds",
  );
});

it.each(["settled", "returned"] as const)(
  "%s of a payout at the gate is booked by nobody: a person decides",
  (kind) => {
    const facts = ["p1", "p2"].map((providerReference) => {
      const decision = decideOnFormerProvider(samplePayout("requires_approval"), "acme", {
        kind,
        ...SUM,
        providerReference,
      });
      return decision.kind === "contradiction" ? decision.exception : null;
    });
    expect(facts[0]).toMatchObject({ detail: { provider: "acme", reported_amount: "100", provider_reference: "p1" } });
    expect(facts[0]?.fact).not.toBe(facts[1]?.fact);
  },
);

it("what was paid and what came back of it are two facts", () => {
  const [settled, returned] = [bookedBy({ kind: "settled", ...SUM }), bookedBy({ kind: "returned", ...SUM })];
  expect(settled.uniqueKey).not.toBe(returned.uniqueKey);
  expect(decide({ kind: "returned", ...SUM }, [settled]).kind).toBe("unmatched_funds");
});

it.each(["settled", "returned"] as const)("another sum %s under one reference may be the same money", (kind) => {
  expect(decide({ kind, ...SUM, amount: 99n }, [bookedBy({ kind, ...SUM })]).kind).toBe("ambiguous");
});

it("confirmed funds ask a person, each total once: no other provider than its own was quoted", () => {
  const funds = (amount: bigint, confirmed = true) =>
    decide({ kind: "funds_seen", confirmed, ...SUM, amount, currency: "USDT" });
  const facts = [100n, 150n, 100n].map((amount) => {
    const decision = funds(amount);
    return decision.kind === "contradiction" ? decision.exception.fact : "";
  });
  expect(new Set(facts).size).toBe(2);
  expect(funds(100n)).toMatchObject({
    exception: {
      detail: {
        why: "The provider reports funds, but another provider has the top-up.",
        provider: "acme",
        reported_amount: "100",
        reported_currency: "USDT",
      },
    },
  });
  expect(funds(100n, false).kind).toBe("ignored");
});

it("acceptance contradicts that another provider has it", () => {
  expect(decide({ kind: "pending", providerReference: null })).toMatchObject({
    exception: { kind: "contradiction", objectId: INTENT.id },
  });
});

it.each([
  { kind: "declined", message: null, providerReference: null },
  { kind: "never_accepted", detail: "" },
  { kind: "unknown", detail: "" },
  { kind: "settled", ...SUM, amount: 0n },
] as const)("$kind moves nothing", (outcome) => {
  expect(decide(outcome).kind).toBe("ignored");
});
