// Proves that each movement of a payout is booked once, that a sum which differs asks a person, and that doubt books nothing.

import { expect, it } from "vitest";
import { journalTransaction } from "./journal";
import { bankReturn, type LedgerTransaction, payoutSettlement } from "./ledger";
import type { PayoutOutcome } from "./outcome";
import { decideOnPayoutOutcome } from "./payout-intent";
import { compareMovements, movementOf } from "./payout-movements";
import type { PayoutStatus } from "./payout-transitions";
import { decidedWith, movementsOf } from "./testing/booked";
import { after, samplePayout } from "./testing/samples";

type Movement = Extract<PayoutOutcome, { kind: "settled" | "returned" }>;

const settled = (amount = 25_000n, providerReference: string | null = "px"): Movement => ({
  kind: "settled",
  amount,
  currency: "BRL",
  providerReference,
});
const returned = (amount: bigint, providerReference: string | null): Movement => ({
  ...settled(amount, providerReference),
  kind: "returned",
});

function decide(status: PayoutStatus, report: Movement, booked: readonly LedgerTransaction[] = []) {
  return decidedWith(decideOnPayoutOutcome(samplePayout(status), report, after(60_000)), booked);
}

/** What the first report of it books. */
function booking(status: PayoutStatus, report: Movement): LedgerTransaction {
  const decision = decide(status, report);
  if (decision.kind !== "unmatched_funds")
    throw new TypeError(`${report.kind} of a payout that is ${status} books nothing`);
  return decision.transaction;
}

it.each([
  ["its sum, left", 25_000n, 25_000n, "ignored"],
  ["another sum than left", 25_000n, 20_000n, "contradiction"],
  ["what people found to have left", 20_000n, 20_000n, "ignored"],
  ["its sum, where people found another", 20_000n, 25_000n, "contradiction"],
])("a settled payout is reported settled again with %s", (_what, left, reported, kind) => {
  const decision = decide("succeeded", settled(reported), [payoutSettlement(samplePayout(), left)]);
  expect(decision).toMatchObject({ kind });
  if (decision.kind !== "contradiction") return;
  expect(decision.exception.detail).toMatchObject({ amount: `${left}`, reported_amount: `${reported}` });
});

it.each([
  ["the same reference", "px", "ignored"],
  ["another reference", "py", "contradiction"],
  ["no reference", null, "ignored"],
] as const)("a payout that settled under a reference is reported settled again under %s", (_what, reference, kind) => {
  const [left] = movementsOf([payoutSettlement(samplePayout())]);
  if (!left) throw new TypeError("a settlement moves nothing");
  const decision = decideOnPayoutOutcome(samplePayout("succeeded"), settled(25_000n, reference), after(60_000));
  if (decision.kind !== "depends_on_books") throw new TypeError("not compared with the books");
  expect(decision.decide([left]).kind).toBe("ignored");
  const compared = decision.decide([{ ...left, reference: "px" }]);
  expect(compared).toMatchObject({ kind });
  if (compared.kind !== "contradiction") return;
  expect(compared.exception).toMatchObject({
    fact: `contradiction:${samplePayout().id}:settled 25000 BRL py`,
    detail: {
      why: "The provider reports the payout as settled under two references. It may have paid twice.",
      provider_reference: "py",
      earlier_reference: "px",
      reported_amount: "25000",
    },
  });
});

it("a settlement without a reference that differs is a fact by its sum alone", () => {
  const decision = decide("processing", settled(20_000n, null));
  expect(decision).toMatchObject({
    exception: { fact: `contradiction:${samplePayout().id}:settled 20000 BRL`, detail: { provider_reference: null } },
  });
});

it("a settled payout is reported settled again in another currency", () => {
  const report: Movement = { ...settled(), currency: "USD" };
  expect(decide("succeeded", report, [payoutSettlement(samplePayout())])).toMatchObject({
    kind: "contradiction",
    exception: { detail: { currency: "BRL", reported_currency: "USD" } },
  });
});

it("what had left is the settlement's sum, whatever else is booked of the payout", () => {
  const cameBack = bankReturn({ intentId: samplePayout().id, reference: "r1", currency: "BRL", amount: 100n });
  const booked = [cameBack, payoutSettlement(samplePayout())];
  expect(decide("succeeded", settled(), booked).kind).toBe("ignored");
});

it("a settlement is the payout's own: no stray movement is taken for it", () => {
  const stray = movementOf(samplePayout(), { ...settled(25_000n, null), kind: "settled" });
  expect(compareMovements(movementsOf([payoutSettlement(samplePayout())]), stray)).toBe("separate");
});

it.each([
  ["the same return", returned(100n, "r1"), "ignored"],
  ["an equal return without a reference", returned(100n, null), "ambiguous"],
  ["another sum under the same reference", returned(99n, "r1"), "ambiguous"],
  ["another return of an equal sum", returned(100n, "r2"), "unmatched_funds"],
  ["another return of another sum", returned(99n, null), "unmatched_funds"],
] as const)("after a return, %s", (_what, report, kind) => {
  const settlement = payoutSettlement(samplePayout());
  expect(decide("succeeded", report, [settlement, booking("succeeded", returned(100n, "r1"))]).kind).toBe(kind);
});

it("a return that was booked without a reference may be one that has a reference", () => {
  const old = booking("succeeded", returned(100n, null));
  expect(decide("succeeded", returned(100n, "r1"), [old]).kind).toBe("ambiguous");
  expect(decide("succeeded", returned(100n, null), [old]).kind).toBe("ignored");
});

it("a return that went to suspense is not booked to the wallet with another sum", () => {
  const excess = booking("processing", returned(30_000n, "r1"));
  expect(decide("processing", returned(30_000n, "r1"), [excess]).kind).toBe("ignored");
  expect(decide("processing", returned(25_000n, "r1"), [excess]).kind).toBe("ambiguous");
});

it.each(["failed", "cancelled"] as const)(
  "after the release of a %s payout, each movement is booked once",
  (status) => {
    for (const of of [settled, returned]) {
      const late = booking(status, of(25_000n, "px"));
      expect(decide(status, of(25_000n, "px"), [late]).kind).toBe("ignored");
      expect(decide(status, of(25_000n, null), [late]).kind).toBe("ambiguous");
      expect(decide(status, of(25_000n, "py"), [late]).kind).toBe("unmatched_funds");
      expect(decide(status, of(20_000n, "px"), [late]).kind).toBe("ambiguous");
      expect(decide(status, of(20_000n, "px:2"), [late]).kind).toBe("unmatched_funds");
      expect(decide(status, of(20_000n, null), [late]).kind).toBe("unmatched_funds");
    }
    expect(decide(status, returned(25_000n, "px"), [booking(status, settled())]).kind).toBe("unmatched_funds");
    const unnamed = booking(status, settled(25_000n, null));
    expect(decide(status, settled(20_000n, null), [unnamed]).kind).toBe("unmatched_funds");
    const inDollars: Movement = { ...settled(25_000n, "px"), currency: "USD" };
    expect(decide(status, inDollars, [booking(status, settled(25_000n, "px"))]).kind).toBe("ambiguous");
  },
);

it("what operators booked by hand may be what is reported, whatever the sums are", () => {
  const left = {
    from: "available",
    to: "provider_clearing",
    currency: "BRL",
    amount: 25_000n,
    provider: "acme",
  } as const;
  const journal = journalTransaction({ id: "jrn_1", ...left });
  for (const reference of ["px", null]) {
    expect(decide("failed", settled(25_000n, reference), [journal]).kind).toBe("ambiguous");
    expect(decide("failed", settled(20_000n, reference), [journal]).kind).toBe("ambiguous");
    expect(decide("failed", returned(25_000n, reference), [journal]).kind).toBe("ambiguous");
  }
});
