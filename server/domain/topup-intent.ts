// Owns the top-up intent: funding the wallet from a crypto payment, with conversion, part payments and expiry.
import { contradictionOf } from "./contradiction";
import { isKnownCurrency } from "./currencies";
import { bookedException } from "./exceptions";
import type { FeeMode } from "./fx";
import { type IntentTransaction, topupCredit, topupRest, toSuspense } from "./ledger";
import type { TopupOutcome } from "./outcome";
import { nextLook } from "./polling";
import type { RoutingDecision } from "./routing";
import type { Environment } from "./scope";
import { divideFunds, valueOf } from "./topup-funds";
import { decideOnLateDrop, decideOnLateFunds } from "./topup-late";
import type { TopupPolicies, TopupPolicy } from "./topup-terms";
import {
  type Decision,
  type Failure,
  type IntentCore,
  isTerminal,
  notBefore,
  type Plan,
  type TransitionTable,
} from "./transition";

export const TOPUP_STATUSES = ["requires_payment", "processing", "succeeded", "failed", "expired"] as const;
export type TopupStatus = (typeof TOPUP_STATUSES)[number];

export type TopupTrigger =
  | "provider_instructions"
  | "part_payment"
  | "funds_seen"
  | "funds_confirmed"
  | "funds_dropped"
  | "underpaid"
  | "provider_declined"
  | "provider_unavailable"
  | "resolved_succeeded"
  | "resolved_failed"
  | "expire";

export const TOPUP_TRANSITIONS = {
  requires_payment: {
    provider_instructions: "requires_payment",
    part_payment: "requires_payment",
    funds_seen: "processing",
    funds_confirmed: "succeeded",
    funds_dropped: "requires_payment",
    underpaid: "failed",
    provider_declined: "failed",
    provider_unavailable: "failed",
    resolved_succeeded: "succeeded",
    resolved_failed: "failed",
    expire: "expired",
  },
  processing: {
    part_payment: "requires_payment",
    funds_confirmed: "succeeded",
    funds_dropped: "requires_payment",
    underpaid: "failed",
    provider_declined: "failed",
    resolved_succeeded: "succeeded",
    resolved_failed: "failed",
    expire: "expired",
  },
  succeeded: {},
  failed: {},
  expired: {},
} as const satisfies TransitionTable<TopupStatus, TopupTrigger>;

export const SOURCE_TYPES = ["provider_gateway", "bank_transfer", "manual"] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** How long a quoted rate holds, in ms. */
export const QUOTE_LIFETIME_MS = 15 * 60 * 1000;

/** What the payer must send and where (interface §2.3); wire form, amounts in source minor units. */
export interface TopupNextAction {
  readonly type: "display_crypto_payment_instructions";
  readonly address: string;
  readonly amount: string;
  readonly currency: string;
  readonly network: string;
  readonly expires_at: string;
}

export interface TopupIntent extends IntentCore<TopupStatus> {
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
  /** Source minor units received so far. */
  readonly receivedAmount: bigint;
  /** Kept while the funds are under way, in case they drop out of the chain again. */
  readonly nextAction: TopupNextAction | null;
  readonly expiresAt: Date;
}

/** True for succeeded, failed and expired. */
export function isTerminalTopup(intent: TopupIntent): boolean {
  return isTerminal(TOPUP_TRANSITIONS, intent.status);
}

/** What one piece of provider news means for the top-up; duplicates and news out of order are ignored. */
export function decideOnTopupOutcome(intent: TopupIntent, outcome: TopupOutcome, now: Date): Decision<TopupIntent> {
  const asked = { amount: intent.destinationAmount, currency: intent.destinationCurrency };
  const contradiction = contradictionOf(intent, asked, outcome);
  if (contradiction) return contradiction;
  switch (outcome.kind) {
    case "instructions":
      if (intent.nextAction) return { kind: "ignored", reason: "the payment instructions are known already" };
      return move(intent, "provider_instructions", now, { nextAction: outcome.nextAction });
    case "funds_seen":
      return decideOnFunds(intent, outcome, now);
    case "funds_dropped":
      return decideOnDrop(intent, outcome, now);
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

/** The quote ran out. Only a top-up that awaits payment ends by it; see `runOut` for how. */
export function decideTopupExpiry(intent: TopupIntent, now: Date): Decision<TopupIntent> {
  if (intent.status !== "requires_payment") return unmoved(intent, "expire");
  return runOut(intent, intent.receivedAmount, now);
}

/** When to ask the provider about the top-up again; while it awaits payment, at the end of its quote at the latest. */
export function nextTopupLook(intent: TopupIntent, now: Date): Date {
  const awaitsPayment = intent.status === "requires_payment";
  const waitingFor = awaitsPayment && intent.nextAction ? "payer" : "provider";
  return nextLook(now, intent.updatedAt, waitingFor, awaitsPayment ? intent.expiresAt : null);
}

/**
 * Ends a top-up of which `received` was paid in time. The underpayment policy decides on a part: credited as paid, or
 * failed as underpaid with the part kept apart. Nothing paid, or dust that credits nothing, means expired.
 */
function runOut(intent: TopupIntent, received: bigint, now: Date): Decision<TopupIntent> {
  const isCredited = intent.policies.underpayment === "credit_actual";
  if (isCredited && divideFunds(received, intent).credited.credit > 0n) return credit(intent, received, now);
  if (!isCredited && valueOf(received, intent) > 0n) {
    const failure: Failure = { code: "underpaid", message: "The top-up was paid in part only." };
    return keep(intent, "underpaid", received, failure, now);
  }
  return keep(intent, "expire", received, { code: "expired", message: "The top-up was not paid in time." }, now);
}

type FundsSeen = Extract<TopupOutcome, { kind: "funds_seen" }>;
type FundsDropped = Extract<TopupOutcome, { kind: "funds_dropped" }>;

function decideOnFunds(intent: TopupIntent, outcome: FundsSeen, now: Date): Decision<TopupIntent> {
  if (outcome.amount <= 0n) return { kind: "ignored", reason: "no funds seen" };
  if (outcome.currency !== intent.sourceCurrency) return keepOtherToken(intent, outcome);
  if (isTerminalTopup(intent)) return decideOnLateFunds(intent, outcome);
  const isPart = outcome.amount < intent.sourceAmount;
  if (isPart && intent.status === "requires_payment") {
    if (!outcome.confirmed) return { kind: "ignored", reason: "a part payment that can still be undone" };
    if (outcome.amount <= intent.receivedAmount) return { kind: "ignored", reason: "no further funds" };
    return awaitRest(intent, "part_payment", outcome.amount, now);
  }
  if (!outcome.confirmed) return move(intent, "funds_seen", now, { receivedAmount: outcome.amount });
  if (isPart && intent.policies.underpayment !== "credit_actual") {
    return awaitRest(intent, "part_payment", outcome.amount, now);
  }
  return credit(intent, outcome.amount, now);
}

/**
 * Funds that had been seen are gone, the chain having been reorganised; `outcome.amount` is what remains. Before the end
 * the rest is asked for again, or the quote's end counts when that has come. After it, what is gone is owed.
 */
function decideOnDrop(intent: TopupIntent, outcome: FundsDropped, now: Date): Decision<TopupIntent> {
  const { amount, currency } = outcome;
  if (currency !== intent.sourceCurrency) return { kind: "ignored", reason: `no funds in ${currency} are known` };
  if (isTerminalTopup(intent)) return decideOnLateDrop(intent, amount);
  if (amount >= intent.receivedAmount) return { kind: "ignored", reason: "nothing that we know of is gone" };
  return awaitRest(intent, "funds_dropped", amount, now);
}

/** Funds in a token that was not asked for: kept in suspense as they are, once they can no longer be undone. */
function keepOtherToken(intent: TopupIntent, outcome: FundsSeen): Decision<TopupIntent> {
  const { amount, currency, confirmed } = outcome;
  if (!confirmed || !isKnownCurrency(currency)) {
    return { kind: "ignored", reason: `funds in ${currency} for a top-up in ${intent.sourceCurrency}` };
  }
  const received = { intentId: intent.id, reference: outcome.providerReference ?? "", currency, amount };
  return { kind: "stray", reason: "amount_mismatch", transaction: toSuspense("amount_mismatch", received) };
}

/** Ends in failure. Part payments are confirmed and kept apart; what was merely seen counts as nothing. */
export function fail(intent: TopupIntent, trigger: TopupTrigger, failure: Failure, now: Date): Decision<TopupIntent> {
  return keep(intent, trigger, intent.status === "requires_payment" ? intent.receivedAmount : 0n, failure, now);
}

/** Ends without a credit: whatever the funds are worth goes to suspense, for a person to decide. */
function keep(
  intent: TopupIntent,
  trigger: TopupTrigger,
  received: bigint,
  failure: Failure,
  now: Date,
): Decision<TopupIntent> {
  const amount = valueOf(received, intent);
  const rest = topupRest({ id: intent.id, currency: intent.destinationCurrency, amount });
  const kept = amount > 0n ? told(rest, intent.policies.underpayment, failure.code) : NOTHING_KEPT;
  return move(intent, trigger, now, { receivedAmount: received }, failure, kept);
}

/** Part of the funds are there: the payer is asked for the rest, or the top-up ends when its quote has run out. */
function awaitRest(intent: TopupIntent, trigger: TopupTrigger, received: bigint, now: Date): Decision<TopupIntent> {
  if (intent.status === "processing" && intent.expiresAt <= now) return runOut(intent, received, now);
  const rest = (intent.sourceAmount - received).toString();
  const nextAction = intent.nextAction && { ...intent.nextAction, amount: rest };
  return move(intent, trigger, now, { receivedAmount: received, nextAction });
}

/** Ends with the credit of what `received` source minor units are worth; the overpayment policy decides on an excess. */
export function credit(
  intent: TopupIntent,
  received: bigint,
  now: Date,
  trigger: TopupTrigger = "funds_confirmed",
): Decision<TopupIntent> {
  const { credited, rest } = divideFunds(received, intent);
  const changes = { receivedAmount: received, creditedAmount: credited.credit };
  const transaction = topupCredit({ id: intent.id, currency: intent.destinationCurrency }, credited, rest);
  const kept = rest > 0n ? told(transaction, intent.policies.overpayment, "overpaid") : { transactions: [transaction] };
  return move(intent, trigger, now, changes, null, transaction.entries.length > 0 ? kept : NOTHING_KEPT);
}

type Kept = Pick<Plan<TopupIntent>, "transactions" | "exception">;
const NOTHING_KEPT: Kept = { transactions: [] };

/** A booking that leaves something in suspense, with what a person is told of it. */
function told(transaction: IntentTransaction, policy: TopupPolicy, why: string): Kept {
  return { transactions: [transaction], exception: bookedException("amount_mismatch", transaction, { why, policy }) };
}

function unmoved(intent: TopupIntent, trigger: TopupTrigger): Decision<TopupIntent> {
  return { kind: "ignored", reason: `${trigger} does not move a top-up that is ${intent.status}` };
}

function move(
  intent: TopupIntent,
  trigger: TopupTrigger,
  now: Date,
  changes: Partial<Pick<TopupIntent, "nextAction" | "receivedAmount" | "creditedAmount">>,
  failure: Failure | null = null,
  kept: Kept = NOTHING_KEPT,
): Decision<TopupIntent> {
  const row: Partial<Record<TopupTrigger, TopupStatus>> = TOPUP_TRANSITIONS[intent.status];
  const status = row[trigger];
  if (!status) return unmoved(intent, trigger);
  const updatedAt = notBefore(now, intent.updatedAt);
  const after: TopupIntent = { ...intent, ...changes, status, failure, revision: intent.revision + 1, updatedAt };
  const settled = isTerminalTopup(after)
    ? { ...after, nextAction: null, dueAt: null }
    : { ...after, dueAt: nextTopupLook(after, updatedAt) };
  return { kind: "planned", plan: { before: intent, after: settled, trigger, eventType: null, ...kept } };
}
