// Refunds at Stripe: creation under an idempotency key, and polls of the object.
import type { RefundOutcome, Unknown } from "@/server/domain/outcome";
import { forOperator, reasonNotToCreate, unknownReference } from "../account-guard";
import type { Creation, RefundRequest } from "../gateway";
import { cleanMessage, shownStatus } from "../http/reports";
import { REFERENCE } from "./bodies";
import { describe, isRefusal } from "./client";
import type { StripeContext } from "./context";
import type { FormMembers } from "./form";
import { page, refund as refundObject, type StripeRefund } from "./objects";
import { CALLS, REFUND_STATUSES } from "./tables";
import { fromStripeUnits, toStripeUnits } from "./units";

const PAGE_SIZE = 100;
const PAYMENT_INTENT = /^pi_[A-Za-z0-9_]{1,120}$/;
const MALFORMED: Unknown = { kind: "unknown", detail: "a refund that is malformed" };

/** The PaymentIntent that received the money; null if none is recorded. */
function paymentIntentOf({ payment: { receiptId, providerReference } }: RefundRequest): string | null {
  return [receiptId, providerReference].find((id) => id !== null && PAYMENT_INTENT.test(id)) ?? null;
}

/** The body of the creation: equal in every call about the refund. Null if Stripe cannot express the sum. */
function bodyOf(request: RefundRequest, paymentIntent: string): FormMembers | null {
  const amount = toStripeUnits(request.amount, request.currency);
  if (amount === null) return null;
  const metadata = { [REFERENCE]: request.reference, sluice_merchant: request.merchantId };
  return { payment_intent: paymentIntent, amount, metadata };
}

/** Sends the money of a PaymentIntent back to its payer. */
export async function createRefund(
  { client, guard, environment }: StripeContext,
  request: Creation<RefundRequest>,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const paymentIntent = paymentIntentOf(request);
  if (paymentIntent === null) return { kind: "never_accepted", detail: "not sent: no PaymentIntent is recorded" };
  if (request.environment !== environment) return { kind: "never_accepted", detail: "not sent: another environment" };
  const params = bodyOf(request, paymentIntent);
  if (params === null) return { kind: "never_accepted", detail: "not sent: Stripe cannot express the sum" };
  const reason = await reasonNotToCreate(guard, signal, guard.isSubAccount ? "proven" : "other");
  if (reason) return reason;
  const { method, path } = CALLS.createRefund;
  const { reference: idempotencyKey, announcedAt } = request;
  const answer = await client({ method, path, params, idempotencyKey, announcedAt }, signal);
  if (answer.kind === "unclear" && answer.isUnsent) return { kind: "not_sent", detail: answer.why };
  const found = answer.kind === "data" ? refundObject.safeParse(answer.data) : null;
  if (found?.success) return judge(request, paymentIntent, found.data);
  // A repeated call proves nothing about the earlier ones.
  const isRefused = request.earlier === undefined && isRefusal(answer);
  return { kind: isRefused ? "never_accepted" : "unknown", detail: describe(answer) };
}

/** Reads the refund by its id, or else in the list of its PaymentIntent's refunds, which is consistent. */
export async function queryRefund(
  context: StripeContext,
  request: RefundRequest,
  signal: AbortSignal,
): Promise<RefundOutcome[]> {
  const paymentIntent = paymentIntentOf(request);
  if (paymentIntent === null) return [{ kind: "never_accepted", detail: "not sent: no PaymentIntent is recorded" }];
  const id = request.earlier?.providerReference ?? null;
  const found = id === null ? await search(context, request, paymentIntent, signal) : await read(context, id, signal);
  if ("kind" in found) return [found];
  return found.map((one) => judge(request, paymentIntent, one));
}

async function read(
  { client, guard }: StripeContext,
  id: string,
  signal: AbortSignal,
): Promise<readonly StripeRefund[] | RefundOutcome> {
  const { method, path } = CALLS.readRefund;
  const answer = await client({ method, path: path.replace("{id}", encodeURIComponent(id)) }, signal);
  if (answer.kind === "error" && answer.status === 404) {
    const unknown = await unknownReference(guard, signal);
    if (unknown.kind !== "never_accepted") return unknown;
    return forOperator("Stripe no longer has the refund that it created.");
  }
  if (answer.kind !== "data") return { kind: "unknown", detail: describe(answer) };
  const parsed = refundObject.safeParse(answer.data);
  return parsed.success ? [parsed.data] : MALFORMED;
}

/** An incomplete list proves nothing; one PaymentIntent has few refunds. */
async function search(
  { client, guard }: StripeContext,
  { reference }: RefundRequest,
  paymentIntent: string,
  signal: AbortSignal,
): Promise<readonly StripeRefund[] | RefundOutcome> {
  const { method, path } = CALLS.listRefunds;
  const params = { payment_intent: paymentIntent, limit: PAGE_SIZE };
  const answer = await client({ method, path, params }, signal);
  const parsed = answer.kind === "data" ? page.safeParse(answer.data) : null;
  if (!parsed?.success) return { kind: "unknown", detail: describe(answer) };
  const own = parsed.data.data.filter(({ metadata }) => metadata?.[REFERENCE] === reference);
  if (own.length === 0 && parsed.data.has_more) return { kind: "unknown", detail: "Stripe lists too many refunds" };
  if (own.length === 0) return unknownReference(guard, signal);
  if (own.length > 1) return forOperator("Stripe has more than one refund of our reference.");
  const found = own.map((one) => refundObject.safeParse(one)).filter(({ success }) => success);
  return found.length === own.length ? found.flatMap(({ data }) => data ?? []) : MALFORMED;
}

/**
 * Returns what a refund's status means. Money of a failed one is in the account's balance again, whatever it had been before.
 * A cancelled one can have gone to the payer's cash balance at Stripe: that is for a person.
 */
function judge({ reference }: RefundRequest, paymentIntent: string, found: StripeRefund): RefundOutcome {
  const { id, status, amount, currency, metadata, failure_reason: failure } = found;
  if (metadata?.[REFERENCE] !== reference || found.payment_intent !== paymentIntent) {
    return { kind: "unknown", detail: "a refund with another reference or of another payment" };
  }
  const sum = fromStripeUnits(amount, currency);
  if (!sum) return forOperator("Stripe reports a sum that our minor units cannot express");
  const code = cleanMessage(failure ?? null) ?? status ?? "";
  const trace = { providerReference: id, providerCode: code.slice(0, 100) };
  const isKnown = status !== null && Object.hasOwn(REFUND_STATUSES, status);
  switch (isKnown ? REFUND_STATUSES[status] : undefined) {
    case "pending":
      return { kind: "pending", ...trace };
    case "settled":
      return { kind: "settled", ...sum, ...trace };
    case "returned":
      return { kind: "returned", ...sum, ...trace };
    case "judge":
      return forOperator(`Stripe reports the refund ${id} as ${status}: find out where its money is.`);
    default:
      return forOperator(
        `Stripe reports a status of a refund that Sluice does not know: ${shownStatus(status ?? "")}.`,
      );
  }
}
