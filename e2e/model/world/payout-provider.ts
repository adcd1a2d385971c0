// A provider that sends a payout: every creation call it accepts without remembering the reference executes once more.
import type { Asked, Fact, MisdirectedStatus } from "./history";
import { isSame, type Money, sumOf } from "./payment-provider";
import type { Report } from "./reports";

/** The provider's reference of a settlement that is not the first. */
export const SECOND_SETTLEMENT = "po-1";

export interface PayoutTruth {
  /** Creation calls that the provider treated as new work. More than one pays the recipient twice. */
  executions: number;
  settled: Money | null;
  readonly returns: Map<number, bigint>;
}

export function newPayoutTruth(): PayoutTruth {
  return { executions: 0, settled: null, returns: new Map() };
}

/** A report on a payout that this provider was never sent, as when references are mixed up. */
export function misdirectedReport(status: MisdirectedStatus, asked: Asked): Report {
  const sum = { amount: asked.amount.toString(), currency: asked.currency };
  const isMoney = status === "settled" || status === "returned";
  return { status, provider_reference: "mixed-up", ...(isMoney ? sum : {}) };
}

export function settledReport({ amount, currency }: Money, reference: string | null): Report {
  const named = reference === null ? {} : { provider_reference: reference };
  return { status: "settled", amount: amount.toString(), currency, ...named };
}

/** What the provider reports for a fact; null if it cannot happen. */
export function payoutUpdates(truth: PayoutTruth, fact: Fact, asked: Asked): Report | null {
  switch (fact.fact) {
    case "settle": {
      truth.settled ??= sumOf(fact.sum, asked);
      return settledReport(truth.settled, fact.isNamed ? "po-0" : null);
    }
    case "settle_again": {
      const money = sumOf(fact.sum, asked);
      if (!truth.settled || (fact.reference === "same" && isSame(truth.settled, money))) return null;
      return settledReport(money, fact.reference === "same" ? "po-0" : SECOND_SETTLEMENT);
    }
    // Money that has left can no longer be declined.
    case "decline":
      return truth.settled ? null : { status: "declined" };
    case "reject_recipient":
      return truth.settled ? null : { status: "invalid_recipient" };
    case "return": {
      if (!truth.settled || truth.settled.currency !== asked.currency) return null;
      const amount = truth.returns.get(fact.bank) ?? (asked.amount * BigInt(fact.percent)) / 100n;
      truth.returns.set(fact.bank, amount);
      const provider_reference = `ret-${fact.bank}`;
      return { status: "returned", amount: amount.toString(), currency: asked.currency, provider_reference };
    }
    default:
      return null;
  }
}
