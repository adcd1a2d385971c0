// Payments through Paystack's payment page: the payer is redirected to it, with one channel of the method.
import { z } from "zod";
import type { PaymentOutcome } from "@/server/domain/outcome";
import { forOperator, WRONG_ACCOUNT } from "../account-guard";
import type { Creation, PaymentRequest } from "../gateway";
import { paymentNextAction } from "../http/next-action";
import { creationFailure, rowOf, unknownStatus } from "../readings";
import { exactInteger } from "./client";
import { noObject, type PaystackContext, pollFailure } from "./context";
import { transactionReference } from "./references";
import { CALLS, NOT_FOUND, PAYMENT_ROWS, REFUSALS, TRANSACTION_STATUSES } from "./tables";

const initialized = z.object({ authorization_url: z.string().max(2048), reference: z.string() });

const transaction = z.object({
  id: exactInteger,
  domain: z.string(),
  status: z.string(),
  reference: z.string(),
  amount: exactInteger,
  currency: z.string().regex(/^[A-Z]{3}$/),
  requested_amount: exactInteger.nullish(),
});

/** Returns the body of the creation, equal for every call about the payment; or why nothing can be sent. */
function bodyOf(request: PaymentRequest, payerEmail: string | null): object | string {
  const row = PAYMENT_ROWS[request.method.code];
  const email = request.customer?.email ?? payerEmail;
  if (row?.currency !== request.currency) return "Paystack has no channel for the method";
  if (!email) return "Paystack demands the payer's e-mail address";
  if (request.amount > BigInt(Number.MAX_SAFE_INTEGER)) return "the sum is too large for Paystack";
  return {
    email,
    amount: Number(request.amount),
    currency: request.currency,
    reference: transactionReference(request.reference),
    channels: [row.channel],
    callback_url: request.hostedUrl,
    metadata: { merchant_id: request.merchantId },
  };
}

/** Opens a transaction and returns the page on which it is paid. */
export async function createPayment(
  context: PaystackContext,
  request: Creation<PaymentRequest>,
  signal: AbortSignal,
): Promise<PaymentOutcome> {
  const body = bodyOf(request, context.payerEmail);
  if (typeof body === "string") return { kind: "never_accepted", detail: `not sent: ${body}` };
  if ((await context.guard.prove(signal)) === "other") return WRONG_ACCOUNT;
  const { method, path } = CALLS.initialize;
  const answer = await context.client({ method, path, body, announcedAt: request.announcedAt }, signal);
  const parsed = answer.kind === "data" ? initialized.safeParse(answer.data) : null;
  if (!parsed?.success) return creationFailure(noObject(answer, REFUSALS.initialize), request.earlier !== undefined);
  const { reference, authorization_url: url } = parsed.data;
  if (reference !== transactionReference(request.reference)) {
    return { kind: "unknown", detail: "an answer about another reference" };
  }
  const nextAction = paymentNextAction(request, { type: "redirect_to_url", url }, context.allowHttp);
  if (!nextAction) return { kind: "unknown", detail: "an address that is not safe for payers" };
  return { kind: "requires_action", nextAction, providerReference: null };
}

/** Reads the transaction. Returns nothing while it may still be paid: the poll then changes nothing. */
export async function queryPayment(
  context: PaystackContext,
  request: PaymentRequest,
  signal: AbortSignal,
): Promise<PaymentOutcome[]> {
  const reference = transactionReference(request.reference);
  const path = CALLS.verifyTransaction.path.replace("{reference}", encodeURIComponent(reference));
  const answer = await context.client({ method: CALLS.verifyTransaction.method, path }, signal);
  if (answer.kind !== "data") return [await pollFailure(context, answer, NOT_FOUND.transaction, signal)];
  const parsed = transaction.safeParse(answer.data);
  if (!parsed.success) return [{ kind: "unknown", detail: "a transaction that is malformed" }];
  return outcomesOf(context, parsed.data, reference);
}

function outcomesOf(
  { environment }: PaystackContext,
  { id, domain, status, amount, currency, ...found }: z.infer<typeof transaction>,
  reference: string,
): PaymentOutcome[] {
  if (found.reference !== reference) return [{ kind: "unknown", detail: "a transaction with another reference" }];
  if (domain !== environment) return [forOperator("the transaction belongs to the other environment of Paystack")];
  switch (rowOf(TRANSACTION_STATUSES, status)?.meaning) {
    case "open":
      return [];
    case "succeeded": {
      const intended = BigInt(found.requested_amount ?? amount);
      const trace = { providerReference: id.toString(), intended: { amount: intended, currency } };
      return [{ kind: "succeeded", amount: BigInt(amount), currency, receiptId: id.toString(), ...trace }];
    }
    case "judge":
      return [forOperator(`Paystack reports the transaction as ${status}: compare it with the books.`)];
    default:
      return [unknownStatus("Paystack", status)];
  }
}
