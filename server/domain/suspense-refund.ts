// Refunds of money in suspense: what a provider's report about one means.
import { type ExceptionFact, stuckException } from "./exceptions";
import type { RefundOutcome } from "./outcome";
import type { Scope } from "./scope";

/**
 * proposed: awaits another person. rejected: it ended there. confirmed: it is sent, or will be. settled: the payer has the
 * money. failed: the provider certainly did not refund it. returned: it had settled, and the money came back.
 */
export const REFUND_STATES = ["proposed", "rejected", "confirmed", "settled", "failed", "returned"] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** What a refund sends back, and to which payment's payer. */
export interface RefundOrder extends Scope {
  readonly id: string;
  readonly exceptionId: string;
  /** The unique key of the booking that put the money into suspense. */
  readonly fact: string;
  /** Counts the refunds of the fact from 1. */
  readonly ordinal: number;
  readonly paymentId: string;
  /** The reference under which the provider knows the payment. */
  readonly paymentReference: string;
  /** The provider's own reference of the money; null if it named none. */
  readonly providerReference: string | null;
  /** The provider's id of the money; null from a provider that sends none. */
  readonly receiptId: string | null;
  readonly provider: string;
  /** Our name for the refund at the provider, the same in every call. */
  readonly reference: string;
  /** The whole of what the fact booked, in minor units of `currency`. */
  readonly amount: bigint;
  readonly currency: string;
  /** The proposer's text; the resolution of the exception once it has settled. */
  readonly reason: string;
}

/** What a report changes; `contradiction` says for a person what does not fit. */
export type RefundDecision =
  | { readonly kind: "settle" | "fail" | "return" | "wait" }
  | { readonly kind: "contradiction"; readonly why: string };

const WAIT: RefundDecision = { kind: "wait" };

function contradiction(why: string): RefundDecision {
  return { kind: "contradiction", why };
}

/**
 * Decides on a report about a refund that was confirmed. Whatever does not fit is for a person, and moves nothing: a sum that
 * differs, a settlement after a refusal, a refusal after a settlement. A provider that takes a settlement back says `returned`.
 */
export function decideRefund(
  { state, amount, currency }: { readonly state: RefundState; readonly amount: bigint; readonly currency: string },
  outcome: RefundOutcome,
): RefundDecision {
  switch (outcome.kind) {
    case "settled":
    case "returned": {
      if (outcome.amount !== amount || outcome.currency !== currency) {
        return contradiction(`The provider reports ${outcome.kind} for another amount than the refund's.`);
      }
      return outcome.kind === "settled" ? onSettled(state) : onReturned(state);
    }
    case "declined":
      return onDeclined(state);
    default:
      return WAIT;
  }
}

function onSettled(state: RefundState): RefundDecision {
  if (state === "confirmed") return { kind: "settle" };
  return state === "failed" ? contradiction("The provider had refused the refund, and now reports it settled.") : WAIT;
}

function onDeclined(state: RefundState): RefundDecision {
  if (state === "confirmed") return { kind: "fail" };
  return state === "settled" ? contradiction("The provider had settled the refund, and now reports it refused.") : WAIT;
}

/** A return that is reported before the settlement leaves the money where it is. */
function onReturned(state: RefundState): RefundDecision {
  if (state === "confirmed") return { kind: "fail" };
  return state === "settled" ? { kind: "return" } : WAIT;
}

/** The exception of a report that does not fit the refund. */
export function contradictedRefund(id: string, why: string): ExceptionFact {
  return { kind: "contradiction", objectId: id, fact: `contradiction:${id}:report`, detail: { why } };
}

/** Without an answer of the provider a refund is stuck after a day, an accepted one after two weeks. */
const DAY_MS = 24 * 60 * 60 * 1000;
const ACCEPTED_MS = 14 * DAY_MS;

/** The exception of a confirmed refund that does not end; null while that is in order. */
export function stalledRefund(id: string, confirmedAt: Date, isAccepted: boolean, now: Date): ExceptionFact | null {
  if (now.getTime() - confirmedAt.getTime() < (isAccepted ? ACCEPTED_MS : DAY_MS)) return null;
  return stuckException(id, "standstill", "The provider has not said what became of the refund.");
}

/** For how long after its settlement a refund can come back: the longest time that a provider names (Stripe: 30 days). */
const RETURN_WINDOW_MS = 30 * DAY_MS;
const SHORTEST_WATCH_MS = DAY_MS / 4;

/**
 * When to ask the provider next whether a settled refund came back: after 6 hours, then after as long as it has been settled, at
 * most a day, and at the end of its window. Null once that is over.
 */
export function nextReturnPoll(settledAt: Date, now: Date): Date | null {
  const age = now.getTime() - settledAt.getTime();
  if (age >= RETURN_WINDOW_MS) return null;
  const wait = Math.min(DAY_MS, Math.max(SHORTEST_WATCH_MS, age));
  return new Date(Math.min(now.getTime() + wait, settledAt.getTime() + RETURN_WINDOW_MS));
}
