// The columns of exported files, with cells that no spreadsheet interprets as formulas.
import { toDecimalString } from "@/server/domain/money";
import { movementWords } from "@/server/domain/movement-words";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { TopupIntent } from "@/server/domain/topup-intent";
import type { IntentCore } from "@/server/domain/transition";
import type { NamedLogEntry } from "@/server/services/audit/list";
import type { NamedLine } from "@/server/services/reconciliation/files";
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
export function statementCells({ names, ...line }: AccountLine, currency: string): Cells {
  return [
    ["booked_at", line.at.toISOString()],
    ["movement", safeText(movementWords(line.reason))],
    ["reason", line.reason],
    ["merchant_reference", safeText(names.merchantReference)],
    ["provider_reference", safeText(names.providerReference)],
    ["counterparty", safeText(names.counterparty)],
    ...sum("amount", line.amount, currency),
    ...sum("balance", line.balance, currency),
    ["currency", currency],
    ["intent_id", line.intentId ?? ""],
    ["transaction_id", line.transactionId],
    ["number", line.sequence.toString()],
  ];
}

/** The row of a statement's opening or closing balance: nothing moved in it. */
export function balanceCells(which: "opening" | "closing", balance: bigint, at: Date, currency: string): Cells {
  const words = which === "opening" ? "Opening balance" : "Closing balance";
  const nothing = (...columns: string[]): Cells => columns.map((column) => [column, ""]);
  return [
    ["booked_at", at.toISOString()],
    ["movement", words],
    ["reason", `${which}_balance`],
    ...nothing("merchant_reference", "provider_reference", "counterparty", "amount_minor_units", "amount"),
    ...sum("balance", balance, currency),
    ["currency", currency],
    ...nothing("intent_id", "transaction_id", "number"),
  ];
}

/** A sum and its currency, or as many empty cells. */
function sumIfAny(name: string, sumOrNull: { readonly amount: bigint; readonly currency: string } | null): Cells {
  if (sumOrNull) return sum(name, sumOrNull.amount, sumOrNull.currency);
  return [
    [`${name}_minor_units`, ""],
    [name, ""],
  ];
}

/** One row of a settlement file: what the provider says, what the books say, and the difference in one currency. */
export function settlementCells({ names, ours, ...line }: NamedLine): Cells {
  const { amount, currency } = line;
  const difference = ours?.currency === currency ? { amount: amount - ours.amount, currency } : null;
  return [
    ["line_id", safeText(line.lineId)],
    ["verdict", line.verdict],
    ["explanation", safeText(line.why)],
    ["kind", line.kind],
    ["reference", safeText(line.reference)],
    ["merchant_reference", safeText(names?.merchantReference ?? null)],
    ["counterparty", safeText(names?.counterparty ?? null)],
    ...sum("amount", amount, currency),
    ...sum("fee", line.fee, currency),
    ["currency", currency],
    ...sumIfAny("our_amount", ours),
    ["our_currency", ours?.currency ?? ""],
    ...sumIfAny("difference", difference),
    ["settled_at", line.settledAt.toISOString()],
    ["intent_id", line.intentId ?? ""],
    ["row", line.row.toString()],
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
    ["actor_name", safeText(entry.actor.address ?? entry.actor.name)],
    ["reason", safeText(entry.reason)],
    ["before", safeText(entry.before === null ? null : JSON.stringify(entry.before))],
    ["after", safeText(entry.after === null ? null : JSON.stringify(entry.after))],
    ["request_id", entry.requestId ?? ""],
    ["address", entry.address ?? ""],
  ];
}
