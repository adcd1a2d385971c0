// Triggers an event of a type in the test environment with a real object and the ordinary services.

import { findMembersOfMerchant } from "@/server/db/members";
import { ServiceError, validationError } from "@/server/domain/errors";
import type { EventType } from "@/server/domain/events";
import { fromMajorUnits } from "@/server/domain/money";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import { isAllowed } from "@/server/domain/permissions";
import type { CallContext } from "@/server/domain/scope";
import { newId } from "@/server/platform/ids";
import { withoutIdempotency } from "../idempotency/completion";
import { getIntent } from "../intents/read";
import { operatorAs } from "../members/by-address";
import { operatorContext } from "../merchants/operator";
import { merchantSettings } from "../merchants/settings";
import { createPaymentIntent } from "../payments/create";
import { listPaymentMethods } from "../payments/methods";
import { approvePayoutIntent } from "../payouts/approve";
import { cancelPayoutIntent } from "../payouts/cancel";
import { createPayoutIntent } from "../payouts/create";
import { PAYOUTS } from "../payouts/kind";
import { simulate } from "./simulate";

const PAYMENT_OUTCOMES = { succeeded: "succeeded", failed: "declined", expired: "expired" } as const;

/** Minor units beyond one major unit; the last two digits control the sandbox's outcome of a payout. */
const PAYOUT_DIGITS = { succeeded: 50n, failed: 1n, cancelled: 50n } as const;

async function endPayment(context: CallContext, ending: keyof typeof PAYMENT_OUTCOMES): Promise<string> {
  const method = (await listPaymentMethods(context.scope))[0]?.method;
  if (!method) throw validationError("merchant", "has no currency with a payment method");
  const { intent } = await createPaymentIntent(
    context,
    {
      amount: (method.minimumAmount * 100n + 50n).toString(),
      currency: method.currency,
      country: method.country,
      paymentMethod: method.code,
      merchantReference: newId("request"),
      customer: null,
      description: null,
      returnUrl: null,
    },
    withoutIdempotency(),
  );
  await simulate(context, intent.id, PAYMENT_OUTCOMES[ending]);
  return intent.id;
}

/** Returns a context of the operator for each member who may approve. */
async function approversOf({ scope }: CallContext): Promise<CallContext[]> {
  const members = await findMembersOfMerchant(scope.merchantId);
  const approvers = members.filter((member) => isAllowed(member, "decide_payouts", "test"));
  if (approvers.length === 0)
    throw validationError("merchant", "has no active approver; create one with members create");
  return approvers.map((member) => operatorContext(scope.merchantId, "test", operatorAs(member)));
}

async function endPayout(context: CallContext, ending: keyof typeof PAYOUT_DIGITS): Promise<string> {
  const { currencies } = await merchantSettings(context.scope.merchantId);
  const [currency = ""] = currencies;
  const command = {
    amount: (fromMajorUnits(10n, currency) + PAYOUT_DIGITS[ending]).toString(),
    currency,
    country: "BR",
    merchantReference: newId("request"),
    recipient: { type: "bank_account", accountNumber: "0001-123456", bankCode: "001", holderName: "Ana Souza" },
  } as const;
  const approvers = ending === "cancelled" ? null : await approversOf(context);
  const { intent } = await createPayoutIntent(context, command, withoutIdempotency());
  if (approvers) await settlePayout(approvers, context, intent, ending);
  else await cancelPayoutIntent(context, { id: intent.id, reason: "Triggered by hand." }, withoutIdempotency());
  return intent.id;
}

/** Settles the payout unless the worker was faster: then it has already ended according to its amount. */
async function settlePayout(
  approvers: readonly CallContext[],
  context: CallContext,
  { id, approvalsRequired }: PayoutIntent,
  ending: string,
): Promise<void> {
  if (approvers.length < approvalsRequired)
    throw validationError("merchant", "has fewer active approvers than its policy requires");
  for (const approver of approvers.slice(0, approvalsRequired)) await approvePayoutIntent(approver, { id });
  try {
    await simulate(context, id, ending === "failed" ? "declined" : "settled");
  } catch (error) {
    const { status } = await getIntent(PAYOUTS, context.scope, id);
    if (!(error instanceof ServiceError) || status !== ending) throw error;
  }
}

/**
 * Creates a test object of the merchant and brings it to the event type's status; returns its id. Payouts are approved
 * as one of the merchant's approvers. Throws not_found for an unknown merchant, and validation_failed if the merchant
 * cannot have such an object.
 */
export async function triggerEvent(merchantId: string, type: EventType): Promise<string> {
  const context = operatorContext(merchantId, "test");
  await merchantSettings(merchantId);
  switch (type) {
    case "payment_intent.succeeded":
      return endPayment(context, "succeeded");
    case "payment_intent.failed":
      return endPayment(context, "failed");
    case "payment_intent.expired":
      return endPayment(context, "expired");
    case "payout_intent.succeeded":
      return endPayout(context, "succeeded");
    case "payout_intent.failed":
      return endPayout(context, "failed");
    case "payout_intent.cancelled":
      return endPayout(context, "cancelled");
  }
}
