// The columns of exported files, with cells that no spreadsheet interprets as formulas.
import { toDecimalString } from "@/server/domain/money";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { TopupIntent } from "@/server/domain/topup-intent";
import type { IntentCore } from "@/server/domain/transition";
import type { NamedLogEntry } from "@/server/services/audit/list";
import type { AccountLine } from "@/server/services/statements/account-lines";

type Cells = readonly (readonly [column: string, cell: string])[];

/**
 * Where a spreadsheet may begin a cell and calculate it. Depending on its language it also splits a file at semicolons,
 * tabs or bars, drops quotes and spaces, and reads full-width signs.
 */
const FORMULA_START = /^(?=[\t\r\n])|(?<=^|[;|\t\r\n])(?=[ "]*[=+\-@＝＋－＠])/g;

/** Puts an apostrophe before everything that a spreadsheet would calculate, which makes it show as text. */
export function safeText(text: string | null): string {
  return text?.replace(FORMULA_START, "'") ?? "";
}

/** An amount twice: in minor units as in the API, and as a decimal number. */
function sum(name: string, minorUnits: bigint, currency: string): Cells {
  return [
    [`${name}_minor_units`, minorUnits.toString()],
    [name, toDecimalString(minorUnits, currency)],
  ];
}

function ending({ failure, createdAt, updatedAt }: IntentCore<string>): Cells {
  return [
    ["failure_code", failure?.code ?? ""],
    ["failure_message", safeText(failure?.message ?? null)],
    ["created_at", createdAt.toISOString()],
    ["updated_at", updatedAt.toISOString()],
  ];
}

/** One row of the payouts' file. */
export function payoutCells(payout: PayoutIntent): Cells {
  return [
    ["id", payout.id],
    ["status", payout.status],
    ...sum("amount", payout.amount, payout.currency),
    ["currency", payout.currency],
    ["country", payout.country],
    ["merchant_reference", safeText(payout.merchantReference)],
    ["recipient_holder_name", safeText(payout.recipient.holderName)],
    ["recipient_account_last4", safeText(payout.recipient.accountLast4)],
    ["recipient_bank_code", safeText(payout.recipient.bankCode)],
    ...ending(payout),
  ];
}

/** One row of the payments' file. */
export function paymentCells(payment: PaymentIntent): Cells {
  return [
    ["id", payment.id],
    ["status", payment.status],
    ...sum("amount", payment.amount, payment.currency),
    ["currency", payment.currency],
    ["country", payment.country],
    ["payment_method", payment.paymentMethod],
    ["merchant_reference", safeText(payment.merchantReference)],
    ...ending(payment),
  ];
}

/** One row of the top-ups' file. */
export function topupCells(topup: TopupIntent): Cells {
  return [
    ["id", topup.id],
    ["status", topup.status],
    ...sum("destination_amount", topup.destinationAmount, topup.destinationCurrency),
    ...sum("credited_amount", topup.creditedAmount, topup.destinationCurrency),
    ["destination_currency", topup.destinationCurrency],
    ...sum("source_amount", topup.sourceAmount, topup.sourceCurrency),
    ["source_currency", topup.sourceCurrency],
    ["rate", topup.rate],
    ["country", topup.country],
    ["merchant_reference", safeText(topup.merchantReference)],
    ...ending(topup),
  ];
}

/** One row of a wallet's statement. */
export function statementCells(line: AccountLine, currency: string): Cells {
  return [
    ["booked_at", line.at.toISOString()],
    ["reason", line.reason],
    ["intent_id", line.intentId ?? ""],
    ...sum("amount", line.amount, currency),
    ...sum("balance", line.balance, currency),
    ["currency", currency],
    ["transaction_id", line.transactionId],
    ["number", line.sequence.toString()],
  ];
}

/** One row of the audit log's file. */
export function auditCells(entry: NamedLogEntry): Cells {
  return [
    ["id", entry.id],
    ["at", entry.createdAt.toISOString()],
    ["environment", entry.environment ?? ""],
    ["action", entry.action],
    ["object_id", safeText(entry.objectId)],
    ["actor_type", entry.actorType],
    ["actor_id", safeText(entry.actorId)],
    ["actor_name", safeText(entry.actorName)],
    ["reason", safeText(entry.reason)],
    ["before", safeText(entry.before === null ? null : JSON.stringify(entry.before))],
    ["after", safeText(entry.after === null ? null : JSON.stringify(entry.after))],
    ["request_id", entry.requestId ?? ""],
    ["address", entry.address ?? ""],
  ];
}
