// Payouts by Paystack transfers. The recipient call moves nothing; the transfer's reference is used once for ever.
import { z } from "zod";
import type { PayoutOutcome } from "@/server/domain/outcome";
import { forOperator, WRONG_ACCOUNT } from "../account-guard";
import type { Creation, PayoutQuery, PayoutRequest } from "../gateway";
import { creationFailure, rowOf, unknownStatus } from "../readings";
import { describe, exactInteger } from "./client";
import { noObject, type PaystackContext, pollFailure } from "./context";
import { CALLS, NOT_FOUND, PAYOUT_ROWS, REFUSALS, TRANSFER_STATUSES } from "./tables";

const recipient = z.object({
  recipient_code: z.string().regex(/^[\x21-\x7e]{1,100}$/),
  integration: exactInteger,
  domain: z.string(),
  type: z.string(),
  currency: z.string(),
  details: z.object({ account_number: z.string(), bank_code: z.string() }),
});

const transfer = z.object({
  integration: exactInteger,
  domain: z.string(),
  status: z.string(),
  reference: z.string(),
  amount: exactInteger,
  currency: z.string().regex(/^[A-Z]{3}$/),
  transfer_code: z.string().regex(/^[\x21-\x7e]{1,100}$/),
});

/** Creates the recipient and then the transfer, both before the announcement is too old. */
export async function createPayout(
  context: PaystackContext,
  request: Creation<PayoutRequest>,
  signal: AbortSignal,
): Promise<PayoutOutcome> {
  const row = PAYOUT_ROWS[request.currency];
  if (!row) return { kind: "never_accepted", detail: "not sent: Paystack does not pay out the currency" };
  if (request.amount > BigInt(Number.MAX_SAFE_INTEGER)) {
    return { kind: "never_accepted", detail: "not sent: the sum is too large for Paystack" };
  }
  const found = await findRecipient(context, request, row.recipientType, signal);
  if (typeof found !== "string") return found;
  const { reference, currency, announcedAt } = request;
  const body = { source: "balance", amount: Number(request.amount), currency, recipient: found, reference };
  const { method, path } = CALLS.transfer;
  const answer = await context.client({ method, path, body, announcedAt }, signal);
  const parsed = answer.kind === "data" ? transfer.safeParse(answer.data) : null;
  if (!parsed?.success) return creationFailure(noObject(answer, REFUSALS.transfer), request.earlier !== undefined);
  return outcomesOf(context, parsed.data, reference)[0] ?? { kind: "unknown", detail: "an answer without a status" };
}

/**
 * Returns the code of the recipient with exactly the requested account, or why no transfer is sent. Paystack answers with
 * an existing record for a known account number, so what it answers is compared.
 */
async function findRecipient(
  { client, guard, environment }: PaystackContext,
  { currency, recipient: payee, announcedAt }: Creation<PayoutRequest>,
  type: string,
  signal: AbortSignal,
): Promise<string | PayoutOutcome> {
  const { holderName: name, accountNumber: account_number, bankCode: bank_code } = payee;
  const body = { type, name, account_number, bank_code, currency };
  const { method, path } = CALLS.createRecipient;
  const answer = await client({ method, path, body, announcedAt }, signal);
  const parsed = answer.kind === "data" ? recipient.safeParse(answer.data) : null;
  if (!parsed?.success) return { kind: "not_sent", detail: `no recipient: ${describe(answer)}` };
  const { details, integration, domain, recipient_code } = parsed.data;
  if (guard.note(integration.toString()) !== "same") return WRONG_ACCOUNT;
  const isAsRequested =
    domain === environment &&
    parsed.data.type === type &&
    parsed.data.currency === currency &&
    details.account_number === account_number &&
    details.bank_code === bank_code;
  return isAsRequested ? recipient_code : { kind: "not_sent", detail: "Paystack answered with another recipient" };
}

/** Reads the transfer. */
export async function queryPayout(
  context: PaystackContext,
  request: PayoutQuery,
  signal: AbortSignal,
): Promise<PayoutOutcome[]> {
  const path = CALLS.verifyTransfer.path.replace("{reference}", encodeURIComponent(request.reference));
  const answer = await context.client({ method: CALLS.verifyTransfer.method, path }, signal);
  if (answer.kind !== "data") return [await pollFailure(context, answer, NOT_FOUND.transfer, signal)];
  const parsed = transfer.safeParse(answer.data);
  if (!parsed.success) return [{ kind: "unknown", detail: "a transfer that is malformed" }];
  return outcomesOf(context, parsed.data, request.reference);
}

/** Converts a transfer; the first outcome is the one for the answer to a creation. */
function outcomesOf(
  { guard, environment }: PaystackContext,
  { integration, domain, status, amount, currency, transfer_code, ...found }: z.infer<typeof transfer>,
  reference: string,
): PayoutOutcome[] {
  if (found.reference !== reference) return [{ kind: "unknown", detail: "a transfer with another reference" }];
  if (domain !== environment) return [forOperator("the transfer belongs to the other environment of Paystack")];
  if (guard.note(integration.toString()) !== "same") return [forOperator("the transfer belongs to another account")];
  const sum = { amount: BigInt(amount), currency };
  const trace = { providerReference: transfer_code, providerCode: status.slice(0, 100), intended: sum };
  const meaning = rowOf(TRANSFER_STATUSES, status)?.meaning;
  switch (meaning) {
    case "pending":
      return [{ kind: "pending", ...trace }];
    case "otp": {
      const why =
        "Paystack waits for a one-time code. Enter it in Paystack's dashboard, and turn off codes for transfers.";
      return [{ kind: "pending", ...trace }, forOperator(why)];
    }
    case "settled":
    case "returned":
      return [{ kind: meaning, ...sum, ...trace }];
    case "declined":
      return [{ kind: "declined", message: `Paystack reports the transfer as ${status}.`, ...trace }];
    default:
      return [unknownStatus("Paystack", status)];
  }
}
