// Payments by payment requests of Xendit, each for one payment of one sum.
import type { PaymentOutcome } from "@/server/domain/outcome";
import { forOperator, reasonNotToCreate } from "../account-guard";
import type { Creation, PaymentRequest } from "../gateway";
import { paymentNextAction } from "../http/next-action";
import { shownStatus } from "../http/reports";
import { creationFailure, rowOf, unknownStatus } from "../readings";
import { paymentBody } from "./bodies";
import { noObject } from "./client";
import { OTHER_SUM, objectionTo, type XenditContext } from "./context";
import { instructionsOf } from "./instructions";
import { findObjects } from "./lookup";
import { paymentRequest, type XenditPayment } from "./objects";
import { CALLS, PAYMENT_ROWS, PAYMENT_STATUSES } from "./tables";
import { fromXenditAmount } from "./units";

const OBJECTS = { read: CALLS.readPayment, list: CALLS.listPayments, schema: paymentRequest };

/** Creates the payment request and returns what the payer must do. */
export async function createPayment(
  context: XenditContext,
  request: Creation<PaymentRequest>,
  signal: AbortSignal,
): Promise<PaymentOutcome> {
  const body = paymentBody(request, context.payerName);
  if (typeof body === "string") return { kind: "never_accepted", detail: `not sent: ${body}` };
  const reason = await reasonNotToCreate(context.guard, signal, "other");
  if (reason) return reason;
  const { reference: idempotencyKey, announcedAt } = request;
  const answer = await context.client({ ...CALLS.createPayment, body, idempotencyKey, announcedAt }, signal);
  const parsed = answer.kind === "data" ? paymentRequest.safeParse(answer.data) : null;
  if (!parsed?.success) return creationFailure(noObject(answer, "payment"), request.earlier !== undefined);
  const [outcome] = outcomesOf(context, { ...request, isAnswered: false }, parsed.data);
  return outcome ?? { kind: "unknown", detail: "a payment request without instructions yet" };
}

/** Reads the payment requests. Returns nothing while nothing is known that Sluice does not know. */
export async function queryPayment(
  context: XenditContext,
  request: PaymentRequest,
  signal: AbortSignal,
): Promise<PaymentOutcome[]> {
  const found = await findObjects(context, OBJECTS, request, signal);
  if ("kind" in found) return [found];
  return found.flatMap((one) => outcomesOf(context, request, one));
}

function outcomesOf(context: XenditContext, request: PaymentRequest, object: XenditPayment): PaymentOutcome[] {
  const objection = objectionTo(context, request.reference, object);
  if (objection) return [objection];
  const { id, status, currency, failure_code } = object;
  const amount = fromXenditAmount(object.amount, currency);
  if (amount === null) return [forOperator(OTHER_SUM)];
  const trace = { providerReference: id, providerCode: status.slice(0, 100), intended: { amount, currency } };
  const meaning = rowOf(PAYMENT_STATUSES, status)?.meaning;
  switch (meaning) {
    case "action":
      return request.isAnswered
        ? []
        : [shown(context, request, object) ?? forOperator("Xendit sent instructions that Sluice cannot show.")];
    case "pending":
      return pending(context, request, object) ?? [{ kind: "pending", ...trace }];
    case "succeeded":
      return [{ kind: "succeeded", amount, currency, receiptId: id, ...trace }];
    case "declined": {
      const message = failure_code ? `Xendit reports ${shownStatus(failure_code)}.` : null;
      return [{ kind: "declined", message, ...trace }];
    }
    case "cancelled":
    case "expired":
      return [{ kind: meaning, ...trace }];
    case "judge":
      return [forOperator(`Xendit reports the payment request as ${status}: compare it with the books.`)];
    default:
      return [unknownStatus("Xendit", status)];
  }
}

/**
 * Returns the outcomes of a pending payment request that only waits for the payer, or null if the payer has acted. No source
 * says whether an unpaid code or account is PENDING or REQUIRES_ACTION, and neither knows when the payer acts.
 */
function pending(context: XenditContext, request: PaymentRequest, object: XenditPayment): PaymentOutcome[] | null {
  const instructions = request.isAnswered ? null : shown(context, request, object);
  if (instructions) return [instructions];
  return PAYMENT_ROWS[request.method.code]?.collection.type === "EWALLET" ? null : [];
}

/** Returns what the payer must do; null if Sluice cannot show it. */
function shown({ allowHttp }: XenditContext, request: PaymentRequest, object: XenditPayment): PaymentOutcome | null {
  const action = instructionsOf(request.method, object);
  const nextAction = action && paymentNextAction(request, action, allowHttp);
  return nextAction && { kind: "requires_action", nextAction, providerReference: object.id };
}
