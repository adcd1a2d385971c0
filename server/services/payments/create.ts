// Creates payment intents: claim and insert in one commit, call the provider, record its answer (interface §4.1).

import { paymentIntents } from "@/server/db/intents/stores";
import { validationError } from "@/server/domain/errors";
import { parseAmount } from "@/server/domain/money";
import { type Customer, newPaymentIntent, type PaymentIntent } from "@/server/domain/payment-intent";
import { findPaymentMethod, type PaymentMethod } from "@/server/domain/payment-methods";
import { differingPaymentField } from "@/server/domain/payment-repeat";
import { returnUrlFault } from "@/server/domain/return-url";
import type { CallContext, Environment } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { traceCreationOf } from "@/server/platform/tracing/tracing";
import { isDispatchPaused } from "../dispatch/paused";
import { dispatchReferenceFor } from "../dispatch-references/for-new";
import type { Completed, Idempotency } from "../idempotency/completion";
import { sendFirstCall } from "../intents/ask";
import { answerDueAt } from "../intents/call";
import { createOrRepeat, findResumed, noteClaim } from "../intents/creation";
import { firstCallTo } from "../intents/fail-over";
import { recordCreation } from "../intents/transition";
import { clockOf, merchantSettings, requireEnabledCurrency } from "../merchants/settings";
import { chooseFor } from "../routing/choose";
import { PAYMENTS } from "./kind";
import { paymentSubject, requiredFieldsOf } from "./methods";

export interface CreatePayment {
  /** Minor-unit text, as on the wire. */
  readonly amount: string;
  readonly currency: string;
  readonly country: string;
  readonly paymentMethod: string;
  readonly merchantReference: string;
  readonly customer: Customer | null;
  readonly description: string | null;
  readonly returnUrl: string | null;
}

/**
 * Creates a payment intent and calls its provider, waiting for the answer until the deadline. Returns `created` with
 * the new intent (`processing` if the provider was late or dispatch is paused), or `repeated` with the original for a
 * repeated merchant reference. Throws validation_failed and duplicate_merchant_reference.
 */
export async function createPaymentIntent(
  context: CallContext,
  command: CreatePayment,
  idempotency: Idempotency<PaymentIntent>,
): Promise<Completed<PaymentIntent>> {
  const { scope } = context;
  const resumed = await findResumed(paymentIntents, scope, idempotency.lease);
  if (resumed) return { intent: resumed, completion: "created" };
  const { merchantReference, currency, country, paymentMethod } = command;
  const fields = { amount: BigInt(command.amount), currency, country, paymentMethod };
  const differingField = (original: PaymentIntent) => differingPaymentField(original, fields);
  const repeat = { store: paymentIntents, scope, merchantReference, differingField };
  return createOrRepeat(repeat, () => create(context, command, idempotency));
}

/** Returns the new intent with its provider's answer, or null if the merchant reference is taken. */
async function create(
  context: CallContext,
  command: CreatePayment,
  idempotency: Idempotency<PaymentIntent>,
): Promise<PaymentIntent | null> {
  const { scope } = context;
  const { lease } = idempotency;
  const merchant = await merchantSettings(scope.merchantId);
  requireEnabledCurrency(merchant, "currency", command.currency);
  checkReturnUrl(command, scope.environment);
  const { method, amount } = checkMethod(command);
  const id = lease.resumedObjectId ?? newId("paymentIntent");
  traceCreationOf(id);
  const dispatchReference = dispatchReferenceFor(merchant, { ...command, scope, kind: "paymentIntent", id });
  const chosen = chooseFor(paymentSubject(method, scope), dispatchReference);
  if (!chosen) throw validationError("payment_method", "is not offered: no provider is configured for it");

  const { gateway, routing } = chosen;
  requireCustomerFields(command, method, routing.order);
  const work = { table: PAYMENTS.table, provider: gateway.name, merchantId: scope.merchantId };
  const isPaused = await isDispatchPaused({ ...work, currency: method.currency });
  const clock = clockOf(merchant, scope.environment);
  const at = clock();
  const { checkoutMode } = merchant;
  const fields = {
    ...command,
    id,
    dispatchReference,
    scope,
    amount,
    method,
    provider: gateway.name,
    routing,
    checkoutMode,
  };
  const intent = newPaymentIntent(fields, at, isPaused ? at : answerDueAt(at, gateway.name));
  const attempt = isPaused ? null : firstCallTo(gateway, scope);
  const announcedAt = now();
  const verdict = await recordCreation(PAYMENTS, intent, [], { context, claim: lease.claim, attempt });
  noteClaim(lease, verdict);
  if (verdict === "reference_taken") return null;
  if (!attempt) return intent;
  return sendFirstCall({
    kind: PAYMENTS,
    context,
    intent,
    gateway,
    attempt: { id: attempt.id, ordinal: 1, announcedAt },
    idempotency,
    clock,
  });
}

/** Throws validation_failed if a provider of the payment demands a member of `customer` that the request lacks. */
function requireCustomerFields({ customer }: CreatePayment, method: PaymentMethod, providers: readonly string[]): void {
  const missing = requiredFieldsOf(method, providers).find((field) => !customer?.[field]);
  if (missing) throw validationError(`customer.${missing}`, `is required for ${method.code}`);
}

/** Throws validation_failed for a return URL that the environment does not allow. */
function checkReturnUrl({ returnUrl }: CreatePayment, environment: Environment): void {
  const fault = returnUrl === null ? null : returnUrlFault(returnUrl, environment);
  if (fault !== null) throw validationError("return_url", fault);
}

function checkMethod(command: CreatePayment): { method: PaymentMethod; amount: bigint } {
  const method = findPaymentMethod(command.paymentMethod);
  if (!method) throw validationError("payment_method", "is not in the catalogue of payment methods");
  if (method.country !== command.country) throw validationError("payment_method", "belongs to another country");
  if (method.currency !== command.currency)
    throw validationError("currency", `must be ${method.currency} for ${method.code}`);
  const amount = parseAmount(command.amount, command.currency);
  if (amount === null) throw validationError("amount", "has too many digits for its currency");
  if (amount < method.minimumAmount || amount > method.maximumAmount) {
    throw validationError(
      "amount",
      `must be from ${method.minimumAmount} to ${method.maximumAmount} for ${method.code}`,
    );
  }
  return { method, amount };
}
