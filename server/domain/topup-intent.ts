// The top-up intent: funding the wallet from a crypto payment, with conversion, part payments and expiry.

import { contradictionOf } from "./contradiction";
import { isKnownCurrency } from "./currencies";
import { contradictionException } from "./exceptions";
import type { FeeMode } from "./fx";
import type { TopupNextAction } from "./next-action";
import type { TopupOutcome } from "./outcome";
import { awaitingPayer, nextPollAt, type Reporting } from "./polling";
import type { RoutingDecision } from "./routing";
import type { Environment } from "./scope";
import { type Bookings, both, creditBooked, lateBooked, NOTHING_BOOKED, restBooked } from "./topup-end";
import { divideFunds, valueOf } from "./topup-funds";
import { decideOnLateDrop, decideOnLateFunds, decideOnOtherToken } from "./topup-late";
import type { TopupPolicies } from "./topup-terms";
import { areSameTotals, type TopupTotals, withDrop, withFunds } from "./topup-totals";
import { TOPUP_TRANSITIONS, type TopupStatus, type TopupTrigger } from "./topup-transitions";
import { type Contradiction, type Decision, type Failure, type IntentCore, isTerminal, notBefore } from "./transition";

export const SOURCE_TYPES = ["provider_gateway", "bank_transfer", "manual"] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** How long a quoted rate holds, in ms. */
export const QUOTE_LIFETIME_MS = 15 * 60 * 1000;

export interface TopupIntent extends IntentCore<TopupStatus>, TopupTotals {
  readonly environment: Environment;
  readonly country: string;
  readonly merchantReference: string | null;
  readonly destinationAmount: bigint;
  readonly destinationCurrency: string;
  readonly creditedAmount: bigint;
  readonly rate: string;
  readonly spreadAmount: bigint;
  readonly sourceType: SourceType;
  readonly provider: string;
  readonly routing: RoutingDecision;
  readonly network: string;
  readonly sourceAmount: bigint;
  readonly sourceCurrency: string;
  readonly feeAmount: bigint;
  readonly feeMode: FeeMode;
  /** The merchant's policies when the top-up was made. */
  readonly policies: TopupPolicies;
  /** Set once and never cleared. Its amount is the remainder to pay while payment is awaited. */
  readonly nextAction: TopupNextAction | null;
  readonly expiresAt: Date;
}

type Derived = "status" | "revision" | "failure" | "creditedAmount" | "nextAction" | keyof TopupTotals;
type Times = "createdAt" | "updatedAt" | "expiresAt" | "dueAt";
export type NewTopupIntent = Omit<TopupIntent, Derived | Times | "dispatchReference"> & {
  /** The id where it is left out. */
  readonly dispatchReference?: string;
};

/** A new top-up awaiting payment; `answerDueAt` is when the worker polls if no payment address was recorded by then. */
export function newTopupIntent(input: NewTopupIntent, now: Date, answerDueAt: Date): TopupIntent {
  return {
    ...input,
    dispatchReference: input.dispatchReference ?? input.id,
    status: "requires_payment",
    revision: 0,
    failure: null,
    creditedAmount: 0n,
    seenAmount: 0n,
    receivedAmount: 0n,
    reportedAmount: 0n,
    nextAction: null,
    createdAt: now,
    updatedAt: now,
    expiresAt: new Date(now.getTime() + QUOTE_LIFETIME_MS),
    dueAt: answerDueAt,
  };
}

/** True for succeeded, failed and expired. */
export function isTerminalTopup(intent: TopupIntent): boolean {
  return isTerminal(TOPUP_TRANSITIONS, intent.status);
}

/**
 * Decides on one provider report for the top-up; duplicate and out-of-order reports are ignored. `reportedAt` is when
 * the report was received, which decides whether funds came in time.
 */
export function decideOnTopupOutcome(
  intent: TopupIntent,
  outcome: TopupOutcome,
  now: Date,
  reportedAt: Date = now,
): Decision<TopupIntent> {
  const contradiction = contradictionOf(intent, outcome);
  if (contradiction) return contradiction;
  switch (outcome.kind) {
    case "instructions":
      if (intent.nextAction) return { kind: "ignored", reason: "the payment instructions are known already" };
      return move(intent, "provider_instructions", now, { nextAction: outcome.nextAction });
    case "funds_seen":
      return decideOnFunds(intent, outcome, now, reportedAt);
    case "funds_dropped":
      return decideOnDrop(intent, outcome, now, reportedAt);
    case "declined":
      return fail(intent, "provider_declined", { code: "provider_declined", message: outcome.message }, now);
    case "never_accepted": {
      const message = "No provider accepted the top-up.";
      return fail(intent, "provider_unavailable", { code: "provider_unavailable", message }, now);
    }
    case "expired":
      return decideTopupExpiry(intent, now);
    case "pending":
      return { kind: "ignored", reason: "no funds seen yet" };
    case "not_sent":
    case "unknown":
      return { kind: "ignored", reason: outcome.detail };
  }
}

/**
 * The quote ran out and the provider was asked. A top-up of which more was seen than is confirmed waits for the
 * confirmation in `processing`; any other that awaits payment ends with what was paid.
 */
export function decideTopupExpiry(intent: TopupIntent, now: Date): Decision<TopupIntent> {
  if (intent.status !== "requires_payment") return unmoved(intent, "expire");
  if (intent.seenAmount > intent.receivedAmount) return move(intent, "await_confirmation", now, {});
  return runOut(intent, intent, now, NOTHING_BOOKED);
}

/**
 * When to poll the provider next. While the top-up awaits payment, that is no later than the end of its quote. Before it is
 * known how the provider reports changes, it counts as sending no callbacks.
 */
export function nextTopupPoll(intent: TopupIntent, now: Date, reporting: Reporting = "polls"): Date {
  const { nextAction, updatedAt, expiresAt } = intent;
  if (intent.status !== "requires_payment")
    return nextPollAt(now, { awaited: "decision", since: updatedAt, reporting, deadline: null });
  if (!nextAction) return nextPollAt(now, { awaited: "acceptance", since: updatedAt, reporting, deadline: expiresAt });
  return nextPollAt(now, awaitingPayer(now, updatedAt, new Date(nextAction.expires_at), expiresAt, reporting));
}

/**
 * Ends a top-up of which a part at most was paid in time. The underpayment policy decides on it: credited as paid, or
 * failed as underpaid with the part kept apart. Nothing paid, or dust that credits nothing, means expired.
 */
function runOut(intent: TopupIntent, totals: TopupTotals, now: Date, late: Bookings): Decision<TopupIntent> {
  const { receivedAmount } = totals;
  const isCredited = intent.policies.underpayment === "credit_actual";
  if (isCredited && divideFunds(receivedAmount, intent).credited.credit > 0n) return credit(intent, totals, now, late);
  if (!isCredited && valueOf(receivedAmount, intent) > 0n) {
    const failure: Failure = { code: "underpaid", message: "The top-up was paid in part only." };
    return keep(intent, "underpaid", totals, failure, now, late);
  }
  return keep(intent, "expire", totals, { code: "expired", message: "The top-up was not paid in time." }, now, late);
}

type FundsSeen = Extract<TopupOutcome, { kind: "funds_seen" }>;
type FundsDropped = Extract<TopupOutcome, { kind: "funds_dropped" }>;

function decideOnFunds(intent: TopupIntent, outcome: FundsSeen, now: Date, reportedAt: Date): Decision<TopupIntent> {
  const { amount, currency, confirmed } = outcome;
  if (amount <= 0n) return { kind: "ignored", reason: "no funds seen" };
  if (currency !== intent.sourceCurrency) {
    if (confirmed && isKnownCurrency(currency)) return decideOnOtherToken(intent.id, currency, amount);
    return { kind: "ignored", reason: `funds in ${currency} for a top-up in ${intent.sourceCurrency}` };
  }
  // A poll made after the end of the quote closes it, so anything reported earlier is in time.
  const isInTime = reportedAt < intent.expiresAt || intent.status === "requires_payment";
  const funds = { amount, confirmed, isInTime };
  if (isTerminalTopup(intent)) return decideOnLateFunds(intent, funds);
  const totals = withFunds(intent, funds);
  if (areSameTotals(totals, intent)) return { kind: "ignored", reason: "no further funds" };
  return settle(intent, totals, now, confirmed ? ["part_payment", "part_confirmed"] : ["part_seen", "funds_seen"]);
}

/**
 * Funds that had been seen are gone, the chain having been reorganised; `outcome.amount` is what remains. Before the end
 * the rest is asked for again, or the quote's end counts when that has come. After it, what is gone is owed.
 */
function decideOnDrop(intent: TopupIntent, outcome: FundsDropped, now: Date, reportedAt: Date): Decision<TopupIntent> {
  const { amount, currency } = outcome;
  if (currency !== intent.sourceCurrency) return dropOfAnotherToken(intent, outcome);
  if (isTerminalTopup(intent)) return decideOnLateDrop(intent, amount, reportedAt);
  const totals = withDrop(intent, amount);
  if (areSameTotals(totals, intent)) return { kind: "ignored", reason: "nothing that we know of is gone" };
  return settle(intent, totals, now, ["funds_dropped", "part_dropped"]);
}

/** The top-up did not request this token, but a person may have credited funds in it. */
function dropOfAnotherToken({ id, sourceCurrency }: TopupIntent, dropped: FundsDropped): Contradiction {
  const { amount, currency, providerReference } = dropped;
  const detail = {
    why: "The provider reports that funds were dropped, in a token other than the top-up's.",
    currency: sourceCurrency,
    reported_amount: amount.toString(),
    reported_currency: currency,
    provider_reference: providerReference,
  };
  const reason = `funds_dropped ${amount} ${currency}`;
  return { kind: "contradiction", exception: contradictionException(id, reason, detail) };
}

/**
 * Where the totals leave a top-up, whatever order they were reported in: credited once the full sum is confirmed; at its
 * end once the quote has run out and nothing seen in time is unconfirmed; else it waits. `triggers` name the change where
 * payment is awaited then, and where confirmation is.
 */
function settle(
  intent: TopupIntent,
  totals: TopupTotals,
  now: Date,
  [awaitingPayment, awaitingConfirmation]: readonly [TopupTrigger, TopupTrigger],
): Decision<TopupIntent> {
  const { seenAmount, receivedAmount } = totals;
  const isPaid = receivedAmount >= intent.sourceAmount;
  // A part alone is being confirmed only after the end of the quote, which the provider may have reported before us.
  const isOver = intent.expiresAt <= now || intent.seenAmount < intent.sourceAmount;
  const isClosed = intent.status === "processing" && isOver;
  if (isPaid || (isClosed && receivedAmount === seenAmount)) {
    const late = lateBooked(intent, totals);
    return isPaid ? credit(intent, totals, now, late) : runOut(intent, totals, now, late);
  }
  const isPaymentAwaited = !isClosed && seenAmount < intent.sourceAmount;
  return move(intent, isPaymentAwaited ? awaitingPayment : awaitingConfirmation, now, totals);
}

/** Ends in failure. Confirmed parts go to suspense; unconfirmed funds count as nothing. */
export function fail(intent: TopupIntent, trigger: TopupTrigger, failure: Failure, now: Date): Decision<TopupIntent> {
  return keep(intent, trigger, intent, failure, now, NOTHING_BOOKED);
}

/** Ends without a credit: whatever the funds are worth goes to suspense, for a person to decide. */
function keep(
  intent: TopupIntent,
  trigger: TopupTrigger,
  totals: TopupTotals,
  failure: Failure,
  now: Date,
  late: Bookings,
): Decision<TopupIntent> {
  return move(intent, trigger, now, totals, failure, both(restBooked(intent, totals, failure.code), late));
}

/** Ends with the credit of `received` source minor units, whatever the provider reported. */
export function creditAs(
  intent: TopupIntent,
  received: bigint,
  now: Date,
  trigger: TopupTrigger,
): Decision<TopupIntent> {
  const totals = withFunds({ ...intent, receivedAmount: 0n }, { amount: received, confirmed: true, isInTime: true });
  return credit(intent, totals, now, NOTHING_BOOKED, trigger);
}

function credit(
  intent: TopupIntent,
  totals: TopupTotals,
  now: Date,
  late: Bookings,
  trigger: TopupTrigger = "funds_confirmed",
): Decision<TopupIntent> {
  const { creditedAmount, booked } = creditBooked(intent, totals);
  return move(intent, trigger, now, { ...totals, creditedAmount }, null, both(booked, late));
}

function unmoved(intent: TopupIntent, trigger: TopupTrigger): Decision<TopupIntent> {
  return { kind: "ignored", reason: `${trigger} does not move a top-up that is ${intent.status}` };
}

type Changes = TopupTotals & Pick<TopupIntent, "nextAction" | "creditedAmount">;

function move(
  intent: TopupIntent,
  trigger: TopupTrigger,
  now: Date,
  changes: Partial<Changes>,
  failure: Failure | null = null,
  booked: Bookings = NOTHING_BOOKED,
): Decision<TopupIntent> {
  const row: Partial<Record<TopupTrigger, TopupStatus>> = TOPUP_TRANSITIONS[intent.status];
  const status = row[trigger];
  if (!status) return unmoved(intent, trigger);
  const updatedAt = notBefore(now, intent.updatedAt);
  const changed: TopupIntent = { ...intent, ...changes, status, failure, revision: intent.revision + 1, updatedAt };
  const next = { ...changed, nextAction: changed.nextAction && { ...changed.nextAction, amount: amountLeft(changed) } };
  const after = { ...next, dueAt: isTerminalTopup(next) ? null : nextTopupPoll(next, updatedAt) };
  return { kind: "planned", plan: { before: intent, after, trigger, eventType: null, ...booked } };
}

/** What the payer still owes, in source minor units as text: nothing unless payment is awaited. */
function amountLeft({ status, sourceAmount, seenAmount }: TopupIntent): string {
  return status === "requires_payment" ? (sourceAmount - seenAmount).toString() : "0";
}
