// What a PaymentIntent or a Checkout Session means for the payment.
import type { PaymentOutcome, Unknown } from "@/server/domain/outcome";
import { forOperator } from "../account-guard";
import type { PaymentRequest } from "../gateway";
import { paymentNextAction } from "../http/next-action";
import { shownStatus } from "../http/reports";
import { REFERENCE } from "./bodies";
import type { StripeContext } from "./context";
import { instructionsOf, isPartlyFunded } from "./instructions";
import type { StripeIntent, StripeSession } from "./objects";
import { CANCELLED, INTENT_STATUSES, SESSION_STATUSES } from "./tables";
import { fromStripeUnits } from "./units";

/** Who reads the object, and when. `isOver`: the payer's time is over, so that a cancelled payment has expired. */
interface Subject extends Pick<StripeContext, "environment" | "allowHttp"> {
  readonly isOver: boolean;
}

const OTHER_ENVIRONMENT = "the object belongs to the other environment of Stripe";
const OTHER_SUM = "Stripe reports a sum that our minor units cannot express";

/** Returns why an object of Stripe is not believed, or null. */
function objectionTo(
  { environment }: Subject,
  { reference }: PaymentRequest,
  object: Pick<StripeIntent, "livemode"> & { readonly metadata: StripeSession["metadata"] },
): Unknown | null {
  if (object.livemode !== (environment === "live")) return forOperator(OTHER_ENVIRONMENT);
  if (object.metadata?.[REFERENCE] === reference) return null;
  return { kind: "unknown", detail: "an object with another reference" };
}

function unknownStatus(object: string, status: string | null): Unknown {
  return forOperator(`Stripe reports a status of a ${object} that Sluice does not know: ${shownStatus(status ?? "")}.`);
}

/** Returns the outcomes of a PaymentIntent; none while nothing is known that Sluice does not know. */
export function outcomesOfIntent(subject: Subject, request: PaymentRequest, intent: StripeIntent): PaymentOutcome[] {
  const objection = objectionTo(subject, request, intent);
  if (objection) return [objection];
  const { id, status, amount, amount_received, currency } = intent;
  const intended = fromStripeUnits(amount, currency);
  if (!intended) return [forOperator(OTHER_SUM)];
  const trace = { providerReference: id, providerCode: status.slice(0, 100), intended };
  switch (Object.hasOwn(INTENT_STATUSES, status) ? INTENT_STATUSES[status] : undefined) {
    case "action":
      if (isPartlyFunded(intent)) return [{ kind: "pending", ...trace }];
      return request.isAnswered ? [] : [shown(subject, request, intent)];
    case "open":
      return [];
    case "pending":
      return [{ kind: "pending", ...trace }];
    case "succeeded": {
      const received = fromStripeUnits(amount_received, currency);
      return received ? [{ kind: "succeeded", ...received, receiptId: id, ...trace }] : [forOperator(OTHER_SUM)];
    }
    case "cancelled":
      if (amount_received > 0) return [forOperator("Stripe reports a cancelled PaymentIntent that received money.")];
      return [{ kind: subject.isOver ? "expired" : "cancelled", ...trace }];
    case "judge":
      return [forOperator(`Stripe reports the PaymentIntent as ${status}: compare it with the books.`)];
    default:
      return [unknownStatus("PaymentIntent", status)];
  }
}

function shown({ allowHttp }: Subject, request: PaymentRequest, intent: StripeIntent): PaymentOutcome {
  const action = instructionsOf(intent);
  const nextAction = action && paymentNextAction(request, action, allowHttp);
  if (nextAction) return { kind: "requires_action", nextAction, providerReference: intent.id };
  return forOperator("Stripe sent instructions that Sluice cannot show.");
}

/** Returns the outcomes of a Checkout Session. Its PaymentIntent decides about money; a page without one is unpaid. */
export function outcomesOfSession(subject: Subject, request: PaymentRequest, session: StripeSession): PaymentOutcome[] {
  const objection = objectionTo(subject, request, session);
  if (objection) return [objection];
  const { id, status, url, payment_intent: intent } = session;
  const meaning = status !== null && Object.hasOwn(SESSION_STATUSES, status) ? SESSION_STATUSES[status] : undefined;
  if (!meaning) return [unknownStatus("Checkout Session", status)];
  const isUndecided = !intent || ["action", "open"].includes(INTENT_STATUSES[intent.status] ?? "");
  const isUnpaid = !intent || (intent.status === CANCELLED && intent.amount_received === 0);
  if (meaning === "expired" && isUnpaid) return [{ kind: "expired", providerReference: id }];
  if (!isUndecided) return outcomesOfIntent(subject, request, intent).map((outcome) => keptUnder(id, outcome));
  if (meaning !== "open" || request.isAnswered) return [];
  const nextAction = paymentNextAction(request, { type: "redirect_to_url", url: url ?? "" }, subject.allowHttp);
  return [
    nextAction
      ? { kind: "requires_action", nextAction, providerReference: id }
      : forOperator("Stripe sent a page whose address is not safe for payers."),
  ];
}

/** The session stays the object that the next poll reads; the receipt names the PaymentIntent. */
function keptUnder(providerReference: string, outcome: PaymentOutcome): PaymentOutcome {
  return "providerReference" in outcome ? { ...outcome, providerReference } : outcome;
}
