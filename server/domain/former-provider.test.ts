// Owns the proof that money from a provider that an intent has left is kept apart, and that nothing else it says counts.
import { expect, it } from "vitest";
import { decideOnFormerProvider } from "./former-provider";

const INTENT = { id: "word_1" };
const SUM = { amount: 100n, currency: "BRL", providerReference: "p1" };

it.each([
  ["succeeded", { kind: "succeeded", receiptId: null, ...SUM }, 100n],
  ["funds_seen", { kind: "funds_seen", confirmed: true, ...SUM }, 100n],
  ["settled", { kind: "settled", ...SUM }, -100n],
  ["returned", { kind: "returned", ...SUM }, 100n],
] as const)("%s is booked to suspense, balanced, under the provider's name", (_kind, outcome, amount) => {
  const decision = decideOnFormerProvider(INTENT, "acme", outcome);
  expect(decision).toMatchObject({ kind: "stray", reason: "late_money" });
  const transaction = decision.kind === "stray" ? decision.transaction : null;
  expect(transaction?.uniqueKey).toContain(":acme");
  expect(transaction?.entries).toEqual([
    { account: "provider_clearing", currency: "BRL", amount: -amount },
    { account: "suspense", currency: "BRL", amount },
  ]);
});

it("what was paid and what came back of it are two facts", () => {
  const keys = (["settled", "returned"] as const).map((kind) => {
    const decision = decideOnFormerProvider(INTENT, "acme", { kind, ...SUM });
    return decision.kind === "stray" ? decision.transaction.uniqueKey : "";
  });
  expect(new Set(keys).size).toBe(2);
});

it.each([
  { kind: "pending", providerReference: null },
  { kind: "declined", message: null, providerReference: null },
  { kind: "never_accepted", detail: "" },
  { kind: "unknown", detail: "" },
  { kind: "settled", ...SUM, amount: 0n },
] as const)("$kind moves nothing", (outcome) => {
  expect(decideOnFormerProvider(INTENT, "acme", outcome).kind).toBe("ignored");
});
