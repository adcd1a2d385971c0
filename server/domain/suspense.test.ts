// Money in suspense leaves it once, as a person has decided, and to the accounts that the decision means.
import { describe, expect, it } from "vitest";
import type { LedgerAccount } from "./ledger";
import { type InSuspense, SETTLEMENTS, type Settlement, settlementsFor, settleSuspense } from "./suspense";
import { sampleTopup } from "./testing/samples";

const FACT = "late_money:dord_1:psp-1";
const held: InSuspense = { intentId: "dord_1", provider: "acme", currency: "BRL", amount: 40n, terms: null };
const short: InSuspense = { ...held, amount: -40n };

const movesOf = (money: InSuspense, as: Settlement) =>
  settleSuspense(FACT, money, as)?.entries.map(({ account, amount }): [LedgerAccount, bigint] => [account, amount]);

describe("the decisions", () => {
  it("about money that is there, and about money that is short, are different ones", () => {
    expect(settlementsFor(1n)).toEqual(["credit", "refund"]);
    expect(settlementsFor(-1n)).toEqual(["recover", "absorb", "restore"]);
    expect(settlementsFor(0n)).toEqual(settlementsFor(-1n));
    expect([...settlementsFor(1n), ...settlementsFor(-1n)]).toEqual([...SETTLEMENTS]);
  });

  it("that do not fit the sum post nothing", () => {
    for (const as of settlementsFor(-1n)) expect(settleSuspense(FACT, held, as)).toBeNull();
    for (const as of settlementsFor(1n)) expect(settleSuspense(FACT, short, as)).toBeNull();
  });
});

it.each<[Settlement, InSuspense, LedgerAccount]>([
  ["credit", held, "available"],
  ["refund", held, "provider_clearing"],
  ["recover", short, "available"],
  ["absorb", short, "fees"],
  ["restore", short, "provider_clearing"],
])("%s ends the sum in suspense, once for the fact", (as, money, account) => {
  expect(movesOf(money, as)).toEqual([
    ["suspense", -money.amount],
    [account, money.amount],
  ]);
  expect(settleSuspense(FACT, money, as)).toMatchObject({
    reason: "suspense_settlement",
    uniqueKey: `settled:${FACT}`,
    intentId: "dord_1",
  });
});

it("what goes through the provider is booked to the account of the provider that it came through", () => {
  for (const [as, money] of [
    ["refund", held],
    ["restore", short],
  ] as const) {
    expect(settleSuspense(FACT, money, as)?.provider).toBe("acme");
  }
});

it("a top-up's money is credited on its terms: the wallet gets no more than its share, and nothing is left", () => {
  const topup = sampleTopup();
  const moves = movesOf({ ...held, amount: 50_000n, terms: topup }, "credit") ?? [];
  const credit = moves.find(([account]) => account === "available")?.[1] ?? 0n;
  expect(credit).toBeGreaterThan(0n);
  expect(credit).toBeLessThan(50_000n);
  expect(moves.reduce((sum, [, amount]) => sum + amount, 0n)).toBe(0n);
  expect(moves[0]).toEqual(["suspense", -50_000n]);
});
