import { expect, it } from "vitest";
import { journalTransaction } from "./journal";
import {
  bankReturn,
  clearingAccount,
  excessToSuspense,
  LEDGER_ACCOUNTS,
  type LedgerTransaction,
  OPENED_ACCOUNTS,
  paymentCredit,
  payoutHold,
  payoutRelease,
  payoutSettlement,
  providerFee,
  providerSettlement,
  returnedRefund,
  toSuspense,
  walletFunding,
} from "./ledger";
import { topupCredit } from "./ledger-topups";

const intent = { id: "dord_1", currency: "BRL", amount: 100n };
const stray = { intentId: "dord_1", reference: "psp-1", currency: "BRL", amount: 100n };

it.each<[LedgerTransaction, string, Record<string, bigint>]>([
  [walletFunding("opening:BRL", "BRL", 100n), "funding:opening:BRL", { funding: -100n, available: 100n }],
  [
    paymentCredit(intent, "receipt:dord_1:psp-1:BRL:100"),
    "receipt:dord_1:psp-1:BRL:100",
    { provider_clearing: -100n, available: 100n },
  ],
  [payoutHold(intent), "payout_hold:dord_1", { available: -100n, held: 100n }],
  [payoutRelease(intent), "payout_release:dord_1", { held: -100n, available: 100n }],
  [payoutSettlement(intent), "payout_settlement:dord_1", { held: -100n, provider_clearing: 100n }],
  [payoutSettlement(intent, 90n), "payout_settlement:dord_1", { held: -100n, provider_clearing: 90n, available: 10n }],
  [
    payoutSettlement(intent, 110n),
    "payout_settlement:dord_1",
    { held: -100n, provider_clearing: 110n, suspense: -10n },
  ],
  [
    journalTransaction({ id: "jrn_1", from: "bank", to: "fees", currency: "BRL", amount: 5n, provider: null }),
    "journal:jrn_1",
    { bank: -5n, fees: 5n },
  ],
  [toSuspense("late_money", stray), "receipt:dord_1:psp-1:BRL:100", { provider_clearing: -100n, suspense: 100n }],
  [
    toSuspense("amount_mismatch", { ...stray, amount: -100n }),
    "receipt:dord_1:psp-1:BRL:-100",
    { provider_clearing: 100n, suspense: -100n },
  ],
  [bankReturn(stray), "bank_return:dord_1:psp-1", { provider_clearing: -100n, available: 100n }],
  [
    excessToSuspense(bankReturn(stray)),
    "amount_mismatch:bank_return:dord_1:psp-1",
    { provider_clearing: -100n, suspense: 100n },
  ],
  [
    providerFee({ ...intent, provider: "acme", digest: "L1" }),
    "provider_fee:acme:L1",
    { fees: -100n, provider_clearing: 100n },
  ],
  [
    providerSettlement({ ...intent, provider: "acme", digest: "L1" }),
    "provider_settlement:acme:L1",
    { bank: -100n, provider_clearing: 100n },
  ],
  [
    topupCredit(intent, { credit: 95n, spread: 7n, fee: -2n }),
    "topup_credit:dord_1",
    { provider_clearing: -100n, available: 95n, fx_spread: 7n, fees: -2n },
  ],
  [
    topupCredit(intent, { credit: 0n, spread: 1n, fee: 0n }),
    "topup_credit:dord_1",
    { provider_clearing: -1n, fx_spread: 1n },
  ],
  [topupCredit(intent, { credit: 0n, spread: 0n, fee: 0n }), "topup_credit:dord_1", {}],
])("%o is named %s and moves %o", (transaction, uniqueKey, moved) => {
  const { entries } = transaction;
  expect(Object.fromEntries(entries.map(({ account, amount }) => [account, amount]))).toEqual(moved);
  expect(entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
  expect(entries.every(({ currency, amount }) => currency === "BRL" && amount !== 0n)).toBe(true);
  expect(transaction.uniqueKey).toBe(uniqueKey);
});

it("a provider's line is booked to its own clearing account, for the intent that it names", () => {
  const line = { ...intent, provider: "acme", digest: "L1" };
  expect(providerFee(line)).toMatchObject({ reason: "provider_fee", intentId: "dord_1", provider: "acme" });
  expect(providerSettlement(line)).toMatchObject({
    reason: "provider_settlement",
    intentId: "dord_1",
    provider: "acme",
  });
  expect(clearingAccount("acme")).toBe("provider_clearing:acme");
});

it("a journal entry names the provider of its clearing account, and none where it has no such account", () => {
  const posting = { id: "jrn_1", from: "bank", to: "provider_clearing", currency: "BRL", amount: 5n } as const;
  expect(journalTransaction({ ...posting, provider: "acme" })).toMatchObject({ provider: "acme", reason: "journal" });
  expect(journalTransaction({ ...posting, to: "fees", provider: null })).not.toHaveProperty("provider");
});

it("each merchant has every account from the start but the clearing ones, which are per provider", () => {
  expect([...OPENED_ACCOUNTS, "provider_clearing"].sort()).toEqual([...LEDGER_ACCOUNTS].sort());
  expect(OPENED_ACCOUNTS).not.toContain("provider_clearing");
});

it("a refund that came back is late money of its intent, in suspense again once, through the provider it went by", () => {
  expect(returnedRefund("ref_1", { intentId: "dord_1", currency: "BRL", amount: 100n }, "acme")).toEqual({
    reason: "late_money",
    uniqueKey: "refund_returned:ref_1",
    intentId: "dord_1",
    provider: "acme",
    entries: [
      { account: "provider_clearing", currency: "BRL", amount: -100n },
      { account: "suspense", currency: "BRL", amount: 100n },
    ],
  });
});

it.each([
  [walletFunding("opening:BRL", "BRL", 100n), "funding", null],
  [excessToSuspense(bankReturn(stray)), "amount_mismatch", "dord_1"],
  [toSuspense("late_money", stray), "late_money", "dord_1"],
] as const)("%o is booked for the reason %s", (transaction, reason, intentId) => {
  expect(transaction).toMatchObject({ reason, intentId });
});
