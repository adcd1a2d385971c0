// How money leaves suspense once a person has decided: what each decision means for the accounts.

import type { CreditTerms } from "./fx";
import { type IntentTransaction, settledFromSuspense } from "./ledger";
import { divideRest } from "./topup-funds";

/**
 * For money that suspense holds: credit (to the wallet), refund (it went back to the payer through the provider). For
 * money that suspense is short of: recover (from the wallet), absorb (the operator bears it), restore (it came after all).
 */
export const SETTLEMENTS = ["credit", "refund", "recover", "absorb", "restore"] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

const FOR_SHORTAGE = { recover: "available", absorb: "fees", restore: "provider_clearing" } as const;

/** What one booking put into suspense, or left it short of (`amount` below zero), in minor units of `currency`. */
export interface InSuspense {
  readonly intentId: string;
  /** Through which provider the money came or went. */
  readonly provider: string;
  readonly currency: string;
  readonly amount: bigint;
  /** A top-up's own terms, on which its money is credited; null for any other money, which is credited whole. */
  readonly terms: CreditTerms | null;
}

/** The decisions that a person has about a sum in suspense. */
export function settlementsFor(amount: bigint): readonly Settlement[] {
  return amount > 0n ? ["credit", "refund"] : ["recover", "absorb", "restore"];
}

/** The posting of a decision, once for each `fact`; null where it does not fit the sum. */
export function settleSuspense(fact: string, money: InSuspense, as: Settlement): IntentTransaction | null {
  const { amount, terms } = money;
  if (!settlementsFor(amount).includes(as)) return null;
  if (as === "credit") {
    const parts = terms ? divideRest(amount, terms) : { credit: amount, spread: 0n, fee: 0n };
    return settledFromSuspense(fact, money, { credit: parts });
  }
  const to = as === "refund" ? "provider_clearing" : FOR_SHORTAGE[as];
  return { ...settledFromSuspense(fact, money, { to }), provider: money.provider };
}
