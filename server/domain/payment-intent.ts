// The payment intent: its statuses, triggers, and the decision on each provider report.

import { contradictionOf } from "./contradiction";
import { paymentCredit } from "./ledger";
import type { PaymentNextAction } from "./next-action";
import type { PaymentOutcome } from "./outcome";
import type { NextActionType, PaymentMethod } from "./payment-methods";
import { PAYMENT_TRANSITIONS, type PaymentStatus, type PaymentTrigger } from "./payment-transitions";
import { decisionDeadline, isPendingPayment, payerActionAt } from "./pending-payment";
import { awaitingPayer, nextPollAt, type Reporting } from "./polling";
import { ambiguousReceipt, creditKey, keepReceipt, receiptOf } from "./receipts";
import { type Reroute, type RoutingDecision, rerouted } from "./routing";
import type { Environment, Scope } from "./scope";
import { type Decision, type Failure, type IntentCore, isTerminal, notBefore, type Plan } from "./transition";

export interface Customer {
  readonly name?: string;
  readonly email?: string;
  readonly reference?: string;
  /** The payer's tax or identity number, which some providers demand. */
  readonly document?: string;
}

/** The members of `customer` that a method can require. */
export const CUSTOMER_FIELDS = ["name", "email", "document"] as const satisfies readonly (keyof Customer)[];
export type CustomerField = (typeof CUSTOMER_FIELDS)[number];

export const CHECKOUT_MODES = ["direct", "hosted"] as const;
export type CheckoutMode = (typeof CHECKOUT_MODES)[number];

export interface PaymentIntent extends IntentCore<PaymentStatus> {
  readonly environment: Environment;
  readonly amount: bigint;
  readonly currency: string;
  readonly country: string;
  readonly merchantReference: string;
  readonly paymentMethod: string;
  readonly customer: Customer | null;
  /** What is bought, for the payer's page. */
  readonly description: string | null;
  /** Where the payer's page leads back to. */
  readonly returnUrl: string | null;
  readonly provider: string;
  readonly routing: RoutingDecision;
  /** How the customer is shown the payment: the method's own way, or always a redirect to our page. */
  readonly nextActionType: NextActionType;
  readonly nextAction: PaymentNextAction | null;
  readonly expiresAt: Date;
  /** When the provider reported that the payer had acted; null before. Moves forward when the payer acts again. */
  readonly payerActedAt: Date | null;
}

export interface NewPaymentIntent {
  readonly id: string;
  /** The id where it is left out. */
  readonly dispatchReference?: string;
  readonly scope: Scope;
  readonly amount: bigint;
  readonly country: string;
  readonly merchantReference: string;
  readonly method: PaymentMethod;
  readonly customer: Customer | null;
  readonly description: string | null;
  readonly returnUrl: string | null;
  readonly provider: string;
  readonly routing: RoutingDecision;
  readonly checkoutMode: CheckoutMode;
}

/** A new intent in `processing`; `answerDueAt` is when the worker takes over if no answer was recorded by then. */
export function newPaymentIntent(input: NewPaymentIntent, now: Date, answerDueAt: Date): PaymentIntent {
  const { method, scope } = input;
  return {
    merchantId: scope.merchantId,
    environment: scope.environment,
    id: input.id,
    dispatchReference: input.dispatchReference ?? input.id,
    status: "processing",
    revision: 0,
    amount: input.amount,
    currency: method.currency,
    country: input.country,
    merchantReference: input.merchantReference,
    paymentMethod: method.code,
    customer: input.customer,
    description: input.description,
    returnUrl: input.returnUrl,
    provider: input.provider,
    routing: input.routing,
    nextActionType: input.checkoutMode === "hosted" ? "redirect_to_url" : method.nextActionType,
    nextAction: null,
    failure: null,
    expiresAt: new Date(now.getTime() + method.expiresInSeconds * 1000),
    payerActedAt: null,
    createdAt: now,
    updatedAt: now,
    dueAt: answerDueAt,
  };
}

/** True for succeeded, failed and expired (interface §3). */
export function isTerminalPayment(intent: PaymentIntent): boolean {
  return isTerminal(PAYMENT_TRANSITIONS, intent.status);
}

/**
 * Decides on one provider report. Reports may be repeated, late or out of order. Reports that the table does not allow are
 * ignored, and money that may not be credited goes to suspense. `actedBefore` is `payerActedAt` from before the call to
 * the provider: instructions in the answer count only if the payer has not acted since.
 */
export function decideOnPaymentOutcome(
  intent: PaymentIntent,
  outcome: PaymentOutcome,
  now: Date,
  actedBefore: Date | null = null,
): Decision<PaymentIntent> {
  const contradiction = contradictionOf(intent, outcome);
  if (contradiction) return contradiction;
  switch (outcome.kind) {
    case "requires_action":
      if (intent.payerActedAt?.getTime() !== actedBefore?.getTime()) {
        return { kind: "ignored", reason: "the instructions are older than the report that the payer has acted" };
      }
      return move(intent, "provider_requires_action", now, { nextAction: outcome.nextAction });
    case "pending":
      if (isPendingPayment(intent)) return { kind: "ignored", reason: "the payment is pending already" };
      return move(intent, "provider_pending", now, { payerActedAt: payerActionAt(intent, now) });
    case "succeeded":
      return decideOnMoney(intent, outcome, now);
    case "declined":
      return move(intent, "provider_declined", now, {}, { code: "provider_declined", message: outcome.message });
    case "cancelled":
      return move(intent, "payer_cancelled", now, {}, CANCELLED);
    case "expired":
      return move(intent, "provider_expired", now, {}, EXPIRED);
    case "never_accepted":
      if (intent.payerActedAt) return { kind: "ignored", reason: "the provider accepted it: it reported `pending`" };
      return move(intent, "provider_unavailable", now, {}, NOT_ACCEPTED);
    case "not_sent":
    case "unknown":
      return { kind: "ignored", reason: outcome.detail };
  }
}

const CANCELLED: Failure = { code: "cancelled", message: "The customer cancelled the payment." };
const NOT_ACCEPTED: Failure = { code: "provider_unavailable", message: "No provider accepted the payment." };
const EXPIRED: Failure = { code: "expired", message: "The payment was not completed in time." };

/**
 * Expires a payment whose window has ended and whose provider, polled first, reported no money (interface §6,
 * payment_intent.expired). A pending payment does not expire: it awaits its provider.
 */
export function decideExpiry(intent: PaymentIntent, now: Date): Decision<PaymentIntent> {
  if (isPendingPayment(intent)) return { kind: "ignored", reason: "the payer has acted: the provider decides" };
  return move(intent, "expire", now, {}, EXPIRED);
}

/**
 * Moves the payment to another provider, once its own has definitely not accepted it. Allowed only before any other change,
 * while the payer has not been shown anything. `dueAt` is unchanged: the next call follows immediately.
 */
export function decidePaymentReroute(intent: PaymentIntent, reroute: Reroute, now: Date): Decision<PaymentIntent> {
  if (intent.revision !== intent.routing.left.length) {
    return { kind: "ignored", reason: "a payment of which something is known stays with its provider" };
  }
  const decision = move(intent, "reroute", now, rerouted(intent, reroute, now));
  if (decision.kind !== "planned") return decision;
  const { plan } = decision;
  return { kind: "planned", plan: { ...plan, after: { ...plan.after, dueAt: intent.dueAt } } };
}

/**
 * When to poll the provider next: no later than the expiry, or the end of the wait for a decision. Before it is known how
 * the provider reports changes, it counts as sending no callbacks.
 */
export function nextPaymentPoll(intent: PaymentIntent, now: Date, reporting: Reporting = "polls"): Date {
  const { nextAction, updatedAt, expiresAt } = intent;
  if (intent.status === "requires_action") {
    const until = nextAction ? new Date(nextAction.expires_at) : expiresAt;
    return nextPollAt(now, awaitingPayer(now, updatedAt, until, expiresAt, reporting));
  }
  const decidesUntil = decisionDeadline(intent);
  const awaited = decidesUntil ? "decision" : "acceptance";
  return nextPollAt(now, { awaited, since: updatedAt, reporting, deadline: decidesUntil ?? expiresAt });
}

type Succeeded = Extract<PaymentOutcome, { kind: "succeeded" }>;

/**
 * Money for the payment. After the end it is stray: late, or paid a second time; the report may also be of the very money
 * that was credited, which the booking finds out.
 */
function decideOnMoney(intent: PaymentIntent, outcome: Succeeded, now: Date): Decision<PaymentIntent> {
  if (outcome.amount <= 0n) return { kind: "ignored", reason: "success without a sum is no money" };
  const receipt = receiptOf(intent, outcome);
  if (isTerminalPayment(intent)) {
    return keepReceipt("late_money", receipt);
  }
  if (outcome.amount !== intent.amount || outcome.currency !== intent.currency) {
    return keepReceipt("amount_mismatch", receipt);
  }
  const decision = move(intent, "provider_succeeded", now, {}, null, [paymentCredit(intent, creditKey(receipt))]);
  if (decision.kind !== "planned") return decision;
  return { kind: "planned", plan: { ...decision.plan, ifBooked: ambiguousReceipt(receipt) } };
}

/** The plan of one change with everything that follows from it; ignored where the table does not allow it. */
export function move(
  intent: PaymentIntent,
  trigger: PaymentTrigger,
  now: Date,
  changes: Partial<Pick<PaymentIntent, "nextAction" | "payerActedAt" | "provider" | "routing">>,
  failure: Failure | null = null,
  transactions: Plan<PaymentIntent>["transactions"] = [],
): Decision<PaymentIntent> {
  const row: Partial<Record<PaymentTrigger, PaymentStatus>> = PAYMENT_TRANSITIONS[intent.status];
  const status = row[trigger];
  if (!status) return { kind: "ignored", reason: `${trigger} does not move a payment that is ${intent.status}` };
  const updatedAt = notBefore(now, intent.updatedAt);
  const after: PaymentIntent = {
    ...intent,
    nextAction: null,
    ...changes,
    status,
    failure,
    revision: intent.revision + 1,
    updatedAt,
  };
  const terminal = isTerminalPayment(after);
  const plan: Plan<PaymentIntent> = {
    before: intent,
    after: { ...after, dueAt: terminal ? null : nextPaymentPoll(after, updatedAt) },
    trigger,
    eventType: terminal ? `payment_intent.${status}` : null,
    transactions,
  };
  return { kind: "planned", plan };
}
