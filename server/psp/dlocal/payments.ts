// Payments on dLocal's page: the payer is redirected to it, with one method.
import type { PaymentOutcome } from "@/server/domain/outcome";
import { forOperator } from "../account-guard";
import type { Creation, PaymentRequest } from "../gateway";
import { fromDecimalNumber, toDecimalNumber } from "../http/decimal-numbers";
import { paymentNextAction } from "../http/next-action";
import { creationFailure, rowOf, unknownStatus } from "../readings";
import { meaningOf, noObject } from "./client";
import type { DlocalContext } from "./context";
import { findPayment } from "./lookup";
import { type DlocalPayment, payment } from "./objects";
import type { UsableRows } from "./rows";
import { CALLS, EXPONENTS, PAYMENT_STATUSES, REJECTIONS } from "./tables";

/** Returns the body of the creation, equal for every call about the payment; or why nothing can be sent. */
function bodyOf(
  rows: UsableRows,
  { method, currency, country, customer, reference, hostedUrl, ...request }: PaymentRequest,
): object | string {
  const row = rows[method.code];
  if (row?.currency !== currency) return "dLocal has no method for the payment";
  const { name, email, document } = customer ?? {};
  // People write documents with dots and dashes; dLocal counts letters and digits.
  const plainDocument = document?.replace(/[^\p{L}\p{N}]/gu, "");
  if (!name || !email || !plainDocument) return "dLocal demands the payer's name, e-mail address and document";
  const amount = toDecimalNumber(request.amount, currency, EXPONENTS);
  if (amount === null) return "dLocal cannot express the sum";
  return {
    amount,
    currency,
    country,
    payment_method_id: row.id,
    payment_method_flow: "REDIRECT",
    payer: { name, email, document: plainDocument },
    order_id: reference,
    callback_url: hostedUrl,
  };
}

/** Creates the payment and returns the page on which it is paid. */
export async function createPayment(
  context: DlocalContext,
  request: Creation<PaymentRequest>,
  signal: AbortSignal,
): Promise<PaymentOutcome> {
  const body = bodyOf(context.rows, request);
  if (typeof body === "string") return { kind: "never_accepted", detail: `not sent: ${body}` };
  const { announcedAt, reference } = request;
  const headers = { "x-idempotency-key": reference };
  const answer = await context.client({ ...CALLS.createPayment, body, headers, announcedAt }, signal);
  const isRepeat = request.earlier !== undefined;
  if (meaningOf(answer) === "payer_refused" && !isRepeat) {
    const code = answer.kind === "error" ? answer.code.toString() : "";
    return { kind: "declined", message: `dLocal refuses the payer: error ${code}.`, providerReference: null };
  }
  const parsed = answer.kind === "data" ? payment.safeParse(answer.data) : null;
  if (!parsed?.success) return creationFailure(noObject(answer), isRepeat);
  const [outcome] = outcomesOf(context, { ...request, isAnswered: false }, parsed.data, false);
  return outcome ?? { kind: "unknown", detail: "a payment without a page" };
}

/** Reads the payment. Returns nothing while nothing is known that Sluice does not know. */
export async function queryPayment(
  context: DlocalContext,
  request: PaymentRequest,
  signal: AbortSignal,
  at: Date,
): Promise<PaymentOutcome[]> {
  const found = await findPayment(context, request, signal);
  return "kind" in found ? [found] : outcomesOf(context, request, found, at >= request.expiresAt);
}

/** `isOver`: the payer's time is over. dLocal cancels what nobody has paid in time, so that it has expired. */
function outcomesOf(
  { allowHttp }: DlocalContext,
  request: PaymentRequest,
  { id, order_id, status, currency, redirect_url, ...found }: DlocalPayment,
  isOver: boolean,
): PaymentOutcome[] {
  if (order_id !== request.reference) return [{ kind: "unknown", detail: "a payment with another reference" }];
  const amount = fromDecimalNumber(found.amount, currency);
  if (amount === null) return [forOperator("dLocal reports a sum that our minor units cannot express")];
  const code = (found.status_code ?? status).toString().slice(0, 100);
  const trace = { providerReference: id, providerCode: code, intended: { amount, currency } };
  switch (rowOf(PAYMENT_STATUSES, status)?.meaning) {
    case "open": {
      // A page that was lost with the answer is lost: dLocal does not show it again, and the payment expires.
      if (request.isAnswered || !redirect_url) return [];
      const nextAction = paymentNextAction(request, { type: "redirect_to_url", url: redirect_url }, allowHttp);
      return nextAction
        ? [{ kind: "requires_action", nextAction, providerReference: id }]
        : [forOperator("dLocal sent an address that is not safe for payers.")];
    }
    case "succeeded":
      return [{ kind: "succeeded", amount, currency, receiptId: id, ...trace }];
    case "declined":
      return [{ kind: "declined", message: `dLocal reports ${code}: ${rejectionOf(code)}.`, ...trace }];
    case "cancelled":
      return [{ kind: isOver ? "expired" : "cancelled", ...trace }];
    case "expired":
      return [{ kind: "expired", ...trace }];
    case "judge":
      return [forOperator(`dLocal reports the payment as ${status}: compare it with the books.`)];
    default:
      return [unknownStatus("dLocal", status)];
  }
}

/** Returns dLocal's reason for a rejection, for staff. */
function rejectionOf(code: string): string {
  return rowOf(REJECTIONS, code) ?? "the payment was rejected";
}
