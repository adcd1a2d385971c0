// Payouts to banks and wallets, by their channel codes.
import type { PayoutOutcome } from "@/server/domain/outcome";
import { forOperator, reasonNotToCreate } from "../account-guard";
import type { Creation, PayoutQuery, PayoutRequest } from "../gateway";
import { shownStatus } from "../http/reports";
import { creationFailure, rowOf, unknownStatus } from "../readings";
import { noObject } from "./client";
import { OTHER_SUM, objectionTo, type XenditContext } from "./context";
import { findObjects } from "./lookup";
import { payout, type XenditPayout } from "./objects";
import { CALLS, FAILURE_CODES, LONGEST_RECIPIENT, PAYOUT_ROWS, PAYOUT_STATUSES } from "./tables";
import { fromXenditAmount, toXenditAmount } from "./units";

const OBJECTS = { read: CALLS.readPayout, list: CALLS.listPayouts, schema: payout };

/** Returns the body of the creation, equal for every call about the payout; or why nothing can be sent. */
function bodyOf({ reference, amount, currency, recipient }: PayoutRequest): object | string {
  const row = PAYOUT_ROWS[currency];
  if (!row) return "Xendit does not pay out the currency";
  const { bankCode: channel_code, accountNumber: account_number, holderName: account_holder_name } = recipient;
  if (!/^[A-Z]{2}_[A-Z0-9_]{1,60}$/.test(channel_code) || !channel_code.startsWith(row.channels)) {
    return `bank_code must be a channel code of Xendit that starts with ${row.channels}`;
  }
  if (Math.max(account_number.length, account_holder_name.length) > LONGEST_RECIPIENT) {
    return `Xendit takes no more than ${LONGEST_RECIPIENT} characters of a name or account number`;
  }
  const sum = toXenditAmount(amount, currency);
  if (sum === null) return "Xendit cannot express the sum";
  const channel_properties = { account_holder_name, account_number };
  return { reference_id: reference, channel_code, channel_properties, amount: sum, currency };
}

/** Creates the payout. Nothing is sent before the key's account is proven: no later call could find the money. */
export async function createPayout(
  context: XenditContext,
  request: Creation<PayoutRequest>,
  signal: AbortSignal,
): Promise<PayoutOutcome> {
  const body = bodyOf(request);
  if (typeof body === "string") return { kind: "never_accepted", detail: `not sent: ${body}` };
  const reason = await reasonNotToCreate(context.guard, signal, "proven");
  if (reason) return reason;
  const { reference: idempotencyKey, announcedAt } = request;
  const answer = await context.client({ ...CALLS.createPayout, body, idempotencyKey, announcedAt }, signal);
  const parsed = answer.kind === "data" ? payout.safeParse(answer.data) : null;
  if (!parsed?.success) return creationFailure(noObject(answer, "payout"), request.earlier !== undefined);
  return (
    outcomesOf(context, request.reference, parsed.data)[0] ?? { kind: "unknown", detail: "an answer without a status" }
  );
}

/** Reads the payouts. */
export async function queryPayout(
  context: XenditContext,
  request: PayoutQuery,
  signal: AbortSignal,
): Promise<PayoutOutcome[]> {
  const found = await findObjects(context, OBJECTS, request, signal);
  if ("kind" in found) return [found];
  return found.flatMap((one) => outcomesOf(context, request.reference, one));
}

/** Converts a payout; the first outcome is the one for the answer to a creation. */
function outcomesOf(context: XenditContext, reference: string, object: XenditPayout): PayoutOutcome[] {
  const objection = objectionTo(context, reference, object);
  if (objection) return [objection];
  const { id, status, currency, failure_code } = object;
  const amount = fromXenditAmount(object.amount, currency);
  if (amount === null) return [forOperator(OTHER_SUM)];
  const sum = { amount, currency };
  const trace = { providerReference: id, providerCode: (failure_code ?? status).slice(0, 100), intended: sum };
  const meaning = rowOf(PAYOUT_STATUSES, status)?.meaning;
  switch (meaning) {
    case "pending":
      return [{ kind: "pending", ...trace }];
    case "review": {
      const why = "Xendit reviews the payout and asks for information by e-mail.";
      return [{ kind: "pending", ...trace }, forOperator(why)];
    }
    case "settled":
    case "returned":
      return [{ kind: meaning, ...sum, ...trace }];
    case "failed": {
      const kind = rowOf(FAILURE_CODES, failure_code ?? "")?.meaning ?? "declined";
      return [{ kind, message: `Xendit reports ${shownStatus(failure_code ?? status)}.`, ...trace }];
    }
    case "declined":
      return [{ kind: "declined", message: `Xendit reports the payout as ${status}.`, ...trace }];
    case "judge":
      return [forOperator(`Xendit reports the payout as ${status}: compare it with the books.`)];
    default:
      return [unknownStatus("Xendit", status)];
  }
}
