// The payout intent: the approval gate, dispatch, settlement, and the decisions on each.

import { contradictionOf } from "./contradiction";
import { bookedException } from "./exceptions";
import { bankReturn, excessToSuspense, payoutHold, payoutRelease, payoutSettlement, toSuspense } from "./ledger";
import type { PayoutOutcome } from "./outcome";
import {
  anotherSum,
  compareMovements,
  movedBeforeDispatch,
  movementOf,
  paidAfterRelease,
  type ReturnReport,
  type SettlementReport,
  settledAgain,
} from "./payout-movements";
import { PAYOUT_TRANSITIONS, type PayoutStatus, type PayoutTrigger } from "./payout-transitions";
import { nextPollAt } from "./polling";
import { type Receipt, unlessBooked } from "./receipts";
import { type Reroute, type RoutingDecision, rerouted } from "./routing";
import type { Actor, Environment, Scope } from "./scope";
import {
  type Decision,
  type Failure,
  type IntentCore,
  isTerminal,
  notBefore,
  type Plan,
  type PlannedChange,
  type UnmatchedFunds,
} from "./transition";

/** Days a payout may wait in the approval gate before it lapses to cancelled. */
export const APPROVAL_LAPSE_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Recipient {
  readonly type: "bank_account";
  readonly accountLast4: string;
  readonly bankCode: string;
  readonly holderName: string;
}

/** The account number as it is stored: sealed, and as a keyed digest that only allows comparing for equality. */
export interface ProtectedAccount {
  readonly sealed: string;
  readonly digest: string;
}

export interface PayoutIntent extends IntentCore<PayoutStatus> {
  readonly environment: Environment;
  readonly amount: bigint;
  readonly currency: string;
  readonly country: string;
  readonly merchantReference: string;
  readonly recipient: Recipient;
  readonly account: ProtectedAccount;
  readonly provider: string;
  readonly routing: RoutingDecision;
  readonly approvalsRequired: number;
  /** The version of the approval policy that required them. */
  readonly policyVersion: number;
  /** If the policy depends on the day's total: `approvalsRequired` is valid while the total stays below this. */
  readonly dailyTotalBelow: bigint | null;
  /** By different people, none of them the maker. */
  readonly approvalsGiven: number;
  readonly createdBy: Actor;
  /** The saved recipient that a member chose; null for a payout over the API. */
  readonly recipientId: string | null;
  /** The batch that it is a line of; null for a payout by itself. */
  readonly batchId: string | null;
}

type Derived = "status" | "revision" | "failure" | "createdAt" | "updatedAt" | "dueAt" | "approvalsGiven";
export type NewPayoutIntent = Omit<PayoutIntent, Derived | "dispatchReference" | keyof Scope> & {
  readonly scope: Scope;
  /** The id where it is left out. */
  readonly dispatchReference?: string;
};

/** A new payout, at the gate when approvals are required, else ready for dispatch; its funds are held either way. */
export function newPayoutIntent(input: NewPayoutIntent, now: Date) {
  const { scope, ...fields } = input;
  const gated = input.approvalsRequired > 0;
  const intent: PayoutIntent = {
    ...scope,
    ...fields,
    dispatchReference: input.dispatchReference ?? input.id,
    status: gated ? "requires_approval" : "processing",
    approvalsGiven: 0,
    revision: 0,
    failure: null,
    createdAt: now,
    updatedAt: now,
    dueAt: gated ? lapseOf(now) : now,
  };
  return { intent, transactions: [payoutHold(intent)] };
}

/** When a payout that nobody approved lapses. */
export function lapseOf(createdAt: Date): Date {
  return new Date(createdAt.getTime() + APPROVAL_LAPSE_DAYS * DAY_MS);
}

/** True for succeeded, failed and cancelled (interface §3). */
export function isTerminalPayout(intent: PayoutIntent): boolean {
  return isTerminal(PAYOUT_TRANSITIONS, intent.status);
}

/** Decides on one provider report for a dispatched payout. Ignores reports that the table does not allow. */
export function decideOnPayoutOutcome(intent: PayoutIntent, outcome: PayoutOutcome, now: Date): Decision<PayoutIntent> {
  const contradiction = contradictionOf(intent, outcome);
  if (contradiction) return contradiction;
  if (outcome.kind === "settled" || outcome.kind === "returned") return decideOnMovement(intent, outcome, now);
  if (intent.status !== "processing") {
    return { kind: "ignored", reason: `provider news for a payout that is ${intent.status}` };
  }
  switch (outcome.kind) {
    case "declined":
      return fail(intent, "provider_declined", { code: "provider_declined", message: outcome.message }, now);
    case "invalid_recipient":
      return fail(intent, "provider_declined", { code: "invalid_recipient", message: outcome.message }, now);
    case "never_accepted":
      return fail(
        intent,
        "provider_unavailable",
        { code: "provider_unavailable", message: "No provider accepted the payout." },
        now,
      );
    case "pending":
    case "not_sent":
    case "unknown":
      return { kind: "ignored", reason: "the provider has not settled the payout yet" };
  }
}

/** Money of the payout has left, or came back. */
function decideOnMovement(
  intent: PayoutIntent,
  report: SettlementReport | ReturnReport,
  now: Date,
): Decision<PayoutIntent> {
  if (report.amount <= 0n) return { kind: "ignored", reason: "without a sum no money has moved" };
  if (intent.status === "requires_approval") return movedBeforeDispatch(intent.id, intent.provider, report);
  if (report.kind === "returned") {
    const returned = movementOf(intent, report);
    return unlessBooked(returned, compareMovements, () => bookReturn(intent, returned, now));
  }
  if (intent.status === "succeeded") return settledAgain(intent, report);
  if (intent.status !== "processing") return paidAfterRelease(intent, report);
  if (report.amount !== intent.amount || report.currency !== intent.currency) {
    return anotherSum(intent, intent, report);
  }
  return movePayout(intent, "provider_settled", now, null, [payoutSettlement(intent)]);
}

/**
 * A payout came back from the recipient's bank. Its status stays: the wallet gets back what came back. If the provider has not
 * reported yet that the money had left, that is booked first: the order of the reports makes no difference. Once the hold was
 * given back, what comes back is kept in suspense, where what had left is owed.
 */
function bookReturn(intent: PayoutIntent, returned: Receipt, now: Date): UnmatchedFunds | PlannedChange<PayoutIntent> {
  const { amount, currency } = returned;
  if (intent.status === "failed" || intent.status === "cancelled") {
    return { kind: "unmatched_funds", reason: "late_money", transaction: toSuspense("late_money", returned) };
  }
  const transaction = bankReturn(returned);
  if (currency !== intent.currency || amount > intent.amount) {
    return { kind: "unmatched_funds", reason: "amount_mismatch", transaction: excessToSuspense(transaction) };
  }
  if (intent.status === "succeeded") return { kind: "unmatched_funds", reason: "bank_return", transaction };
  const { plan } = movePayout(intent, "provider_settled", now, null, [payoutSettlement(intent), transaction]);
  return { kind: "planned", plan: { ...plan, exceptions: [bookedException("bank_return", transaction)] } };
}

function fail(intent: PayoutIntent, trigger: PayoutTrigger, failure: Failure, now: Date): PlannedChange<PayoutIntent> {
  return movePayout(intent, trigger, now, failure, [payoutRelease(intent)]);
}

/** The plan of one legal change with everything that follows from it. Throws RangeError for an illegal one. */
export function movePayout(
  intent: PayoutIntent,
  trigger: PayoutTrigger,
  now: Date,
  failure: Failure | null,
  transactions: Plan<PayoutIntent>["transactions"],
): PlannedChange<PayoutIntent> {
  const row: Partial<Record<PayoutTrigger, PayoutStatus>> = PAYOUT_TRANSITIONS[intent.status];
  const status = row[trigger];
  if (!status) throw new RangeError(`${trigger} cannot move a payout that is ${intent.status}`);
  const updatedAt = notBefore(now, intent.updatedAt);
  const after: PayoutIntent = {
    ...intent,
    status,
    failure,
    revision: intent.revision + 1,
    updatedAt,
    dueAt: updatedAt,
  };
  const terminal = isTerminalPayout(after);
  return {
    kind: "planned",
    plan: {
      before: intent,
      after: terminal ? { ...after, dueAt: null } : after,
      trigger,
      eventType: terminal ? `payout_intent.${status}` : null,
      transactions,
    },
  };
}

/**
 * Moves the payout to another provider, once its own has definitely not accepted it. `dueAt` is unchanged: the next call
 * follows immediately.
 */
export function decidePayoutReroute(intent: PayoutIntent, reroute: Reroute, now: Date): Decision<PayoutIntent> {
  if (intent.status !== "processing") return { kind: "ignored", reason: `the payout is ${intent.status}` };
  const { plan } = movePayout(intent, "reroute", now, null, []);
  const after = { ...plan.after, ...rerouted(intent, reroute, now), dueAt: intent.dueAt };
  return { kind: "planned", plan: { ...plan, after } };
}

/** When to poll the provider about a dispatched payout next. Payouts have no deadline. */
export function nextPayoutPoll(intent: PayoutIntent, now: Date): Date {
  return nextPollAt(now, { awaited: "acceptance", since: intent.updatedAt, reporting: "polls", deadline: null });
}
