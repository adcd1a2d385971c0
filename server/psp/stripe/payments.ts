// Payments at Stripe: creation under an idempotency key, polls of the object, and closing it.
import type { PaymentOutcome } from "@/server/domain/outcome";
import { reasonNotToCreate } from "../account-guard";
import type { Creation, PaymentRequest } from "../gateway";
import { cleanMessage } from "../http/reports";
import { creationFailure, type NoObject } from "../readings";
import { type Creating, creatingOf, EXPANDED } from "./bodies";
import { describe, isRefusal, type StripeAnswer } from "./client";
import type { StripeContext } from "./context";
import type { FormMembers } from "./form";
import { type Found, findObjects, readObject } from "./lookup";
import { customer, type StripeIntent } from "./objects";
import { outcomesOfIntent, outcomesOfSession } from "./outcomes";
import { CALLS, CANCELLABLE, CANCELLED } from "./tables";

/** Creates the payment's object and returns what the payer must do. */
export async function createPayment(
  context: StripeContext,
  request: Creation<PaymentRequest>,
  signal: AbortSignal,
): Promise<PaymentOutcome> {
  const creating = creatingOf(request);
  if (typeof creating === "string") return { kind: "never_accepted", detail: `not sent: ${creating}` };
  // A PaymentIntent does not name its account, so that of a merchant must be proven first.
  const reason = await reasonNotToCreate(context.guard, signal, context.guard.isSubAccount ? "proven" : "other");
  if (reason) return reason;
  const body = await bodyOf(context, request, creating, signal);
  if (body === null) return { kind: "not_sent", detail: "Stripe did not create the customer of the bank transfer" };
  const by = creating.by === "page" ? "session" : "intent";
  const { method, path } = by === "session" ? CALLS.createSession : CALLS.createIntent;
  const { reference: idempotencyKey, announcedAt } = request;
  const answer = await context.client({ method, path, params: body, idempotencyKey, announcedAt }, signal);
  const found = answer.kind === "data" ? readObject(by, answer.data) : null;
  if (!found) return creationFailure(noObject(answer), request.earlier !== undefined);
  const [outcome] = await judge({ ...context, isOver: false }, { ...request, isAnswered: false }, found, signal);
  return outcome ?? { kind: "unknown", detail: "an object that the payer cannot pay" };
}

function noObject(answer: StripeAnswer): NoObject {
  const isUnsent = answer.kind === "unclear" && answer.isUnsent;
  return { detail: describe(answer), isUnsent, isRefusal: isRefusal(answer) };
}

/**
 * Returns the body of the creation; null if a bank transfer has no customer, whose call moves nothing. Each payment has a
 * customer of its own, or Stripe could give the money to another open payment of the customer.
 */
async function bodyOf(
  { client }: StripeContext,
  { reference, announcedAt }: Creation<PaymentRequest>,
  creating: Creating,
  signal: AbortSignal,
): Promise<FormMembers | null> {
  if (creating.by !== "transfer") return creating.body;
  const { method, path } = CALLS.createCustomer;
  const call = { method, path, params: creating.customer, idempotencyKey: `${reference}:customer`, announcedAt };
  const answer = await client(call, signal);
  const parsed = answer.kind === "data" ? customer.safeParse(answer.data) : null;
  return parsed?.success ? creating.body(parsed.data.id) : null;
}

/** Reads the payment's objects at the merchant's time `at`. Returns nothing while nothing is known that Sluice does not know. */
export async function queryPayment(
  context: StripeContext,
  request: PaymentRequest,
  signal: AbortSignal,
  at: Date,
): Promise<PaymentOutcome[]> {
  const found = await findObjects(context, request, signal);
  if ("kind" in found) return [found];
  const outcomes: PaymentOutcome[] = [];
  const reading = { ...context, isOver: at >= request.expiresAt };
  for (const one of found) outcomes.push(...(await judge(reading, request, one, signal)));
  return outcomes;
}

/**
 * Returns what an object means. A PaymentIntent whose only try has failed before the payer was shown anything is closed
 * and declined: nobody can confirm it again once Stripe has cancelled it.
 */
async function judge(
  context: StripeContext & { readonly isOver: boolean },
  request: PaymentRequest,
  found: Found,
  signal: AbortSignal,
): Promise<PaymentOutcome[]> {
  if (found.kind === "session") return outcomesOfSession(context, request, found.session);
  const { intent } = found;
  const outcomes = outcomesOfIntent(context, request, intent);
  if (outcomes.length > 0 || request.isAnswered || intent.status !== "requires_payment_method") return outcomes;
  const closed = await cancelIntent(context, intent, signal);
  if (closed?.status !== CANCELLED || closed.amount_received > 0) return [];
  const message = cleanMessage(intent.last_payment_error?.message);
  return [{ kind: "declined", message, providerReference: intent.id }];
}

/** Returns the PaymentIntent after Stripe was asked to cancel it; null without a usable answer. */
async function cancelIntent(
  { client }: StripeContext,
  { id }: StripeIntent,
  signal: AbortSignal,
): Promise<StripeIntent | null> {
  const { method, path } = CALLS.cancelIntent;
  const answer = await client({ method, path: path.replace("{id}", id) }, signal);
  const closed = answer.kind === "data" ? readObject("intent", answer.data) : null;
  return closed?.kind === "intent" && closed.intent.id === id ? closed.intent : null;
}

/** Closes the payment's objects. Returns `expired` only if all are closed: a payer who has acted keeps the payment open. */
export async function cancelPayment(
  context: StripeContext,
  request: PaymentRequest,
  signal: AbortSignal,
): Promise<PaymentOutcome> {
  const found = await findObjects(context, request, signal);
  if ("kind" in found) return found;
  const reading = { ...context, isOver: true };
  const outcomes: PaymentOutcome[] = [];
  for (const one of found) {
    const closed = await close(context, one, signal);
    const [outcome] = closed ? await judge(reading, { ...request, isAnswered: true }, closed, signal) : [];
    outcomes.push(outcome ?? { kind: "unknown", detail: "Stripe did not close the payment" });
  }
  const providerReference = request.earlier?.providerReference ?? null;
  return outcomes.find(({ kind }) => kind !== "expired") ?? { kind: "expired", providerReference };
}

/** Closes what can still be paid; null without a usable answer. */
async function close(context: StripeContext, found: Found, signal: AbortSignal): Promise<Found | null> {
  if (found.kind === "intent") {
    if (!CANCELLABLE.includes(found.intent.status)) return found;
    const intent = await cancelIntent(context, found.intent, signal);
    return intent && { kind: "intent", intent };
  }
  const { session } = found;
  const { payment_intent: intent } = session;
  if (session.status !== "open") {
    if (!intent || !CANCELLABLE.includes(intent.status)) return found;
    const closed = await cancelIntent(context, intent, signal);
    return closed && { kind: "session", session: { ...session, payment_intent: closed } };
  }
  const { method, path } = CALLS.expireSession;
  const call = { method, path: path.replace("{id}", session.id), params: EXPANDED };
  const answer = await context.client(call, signal);
  return answer.kind === "data" ? readObject("session", answer.data) : null;
}
