// A provider that refused an intent and was left for another, but reports on it later.
import type { Asked, Fact, History } from "./history";
import { receiptReport, sumOf } from "./payment-provider";
import { settledReport } from "./payout-provider";
import type { Report } from "./reports";

type FormerFact = Extract<Fact, { readonly fact: "former_pays" | "former_accepts" }>;

export function isFormerFact(fact: Fact): fact is FormerFact {
  return fact.fact === "former_pays" || fact.fact === "former_accepts";
}

/** What the former provider of a payment or payout reports. */
export function formerReport(fact: FormerFact, { kind, protocol }: History, asked: Asked): Report {
  if (fact.fact === "former_accepts") return { status: "pending" };
  const names = { id: `former-${fact.money}`, reference: `former-${fact.money}` };
  const money = sumOf(fact.sum, asked);
  if (kind === "payout") return settledReport(money, fact.isNamed ? names.reference : null);
  return receiptReport({ ...names, ...money }, protocol, fact.isNamed);
}
