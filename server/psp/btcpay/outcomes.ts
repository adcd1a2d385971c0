// What BTCPay's invoices and their payments mean for the top-up.
import type { ProviderTrace, TopupOutcome, Unknown } from "@/server/domain/outcome";
import { forOperator } from "../account-guard";
import type { TopupRequest } from "../gateway";
import { topupNextAction } from "../http/next-action";
import { rowOf, unknownStatus } from "../readings";
import { intendedBy } from "./bodies";
import type { BtcpayContext } from "./context";
import type { Found } from "./lookup";
import type { BtcpayInvoice, BtcpayMethod, BtcpayPayment } from "./objects";
import { ADDITIONAL_STATUSES, INVOICE_STATUSES, PAYMENT_STATUSES, TOPUP_ROWS } from "./tables";
import { fromBtcpayAmount, totalOf } from "./units";

const ADDRESS = /^[\x21-\x7e]{10,200}$/;

/** Returns why an invoice is not believed, or null. */
export function objectionTo(
  { account }: BtcpayContext,
  { sourceAmount, sourceCurrency }: TopupRequest,
  { storeId, amount, currency }: BtcpayInvoice,
): Unknown | null {
  if (storeId !== account) return forOperator("the invoice belongs to another store");
  const isAsked = currency === sourceCurrency && fromBtcpayAmount(amount, sourceCurrency) === sourceAmount;
  return isAsked ? null : forOperator("BTCPay has an invoice for another sum under the reference of the top-up.");
}

function traceOf(invoice: BtcpayInvoice): ProviderTrace {
  const { id: providerReference, status, additionalStatus } = invoice;
  const providerCode = `${status}/${additionalStatus}`.slice(0, 100);
  const intended = intendedBy(invoice);
  return { providerReference, providerCode, ...(intended ? { intended } : {}) };
}

function isAsked({ sourceCurrency }: TopupRequest, { paymentMethodId }: BtcpayMethod): boolean {
  return paymentMethodId.toLowerCase() === TOPUP_ROWS[sourceCurrency]?.paymentMethod.toLowerCase();
}

/** Returns the address of the invoice for its payer. */
export function instructionsOf(
  { environment }: BtcpayContext,
  request: TopupRequest,
  { invoice, methods }: Found,
): TopupOutcome {
  const row = TOPUP_ROWS[request.sourceCurrency];
  const address = methods.find((method) => isAsked(request, method))?.destination ?? "";
  if (!row || !ADDRESS.test(address)) return forOperator("BTCPay sent an invoice without a usable address.");
  const foreign = environment === "live" ? row.testAddresses : row.mainAddresses;
  if (foreign.test(address)) return forOperator("BTCPay runs on another network than the entry's environment.");
  const expires_at = new Date(invoice.expirationTime * 1_000).toISOString();
  const nextAction = topupNextAction(request, { address, network: row.network, expires_at });
  if (!nextAction) return forOperator("BTCPay sent an invoice for another network.");
  return { kind: "instructions", nextAction, ...traceOf(invoice) };
}

/** Returns why a person must judge the invoice, or null. */
function judgementOf({ status, additionalStatus }: BtcpayInvoice): Unknown | null {
  const meaning = rowOf(INVOICE_STATUSES, status)?.meaning;
  const additional = rowOf(ADDITIONAL_STATUSES, additionalStatus)?.meaning;
  if (!meaning) return unknownStatus("BTCPay", status);
  if (!additional) return unknownStatus("BTCPay", additionalStatus);
  if (meaning !== "judge" && additional !== "judge") return null;
  return forOperator(`BTCPay reports the invoice as ${status} (${additionalStatus}): compare it with the books.`);
}

type Sums = Record<"seen" | "confirmed" | "gone", string[]>;

/** Sorts the values of the payments by their meaning. One payment counts once, whatever lists it. */
function sumsOf(payments: Iterable<BtcpayPayment>): Sums | Unknown {
  const sums: Sums = { seen: [], confirmed: [], gone: [] };
  for (const { value, status } of payments) {
    const row = rowOf(PAYMENT_STATUSES, status);
    if (!row) return unknownStatus("BTCPay", status);
    sums[row.meaning].push(value);
  }
  return sums;
}

/** The totals in minor units; `isShort` if a payment has vanished. */
interface Totals {
  readonly all: bigint;
  readonly confirmed: bigint;
  readonly isShort: boolean;
}

function totalsOf(request: TopupRequest, found: readonly Found[]): Totals | Unknown {
  const methods = found.flatMap((one) => one.methods);
  if (methods.some((method) => !isAsked(request, method) && method.payments.length > 0)) {
    return forOperator("BTCPay reports a payment by another payment method than the top-up's.");
  }
  const payments = new Map(methods.flatMap((method) => method.payments).map((payment) => [payment.id, payment]));
  const sums = sumsOf(payments.values());
  if ("kind" in sums) return sums;
  const all = totalOf([...sums.seen, ...sums.confirmed], request.sourceCurrency);
  const confirmed = totalOf(sums.confirmed, request.sourceCurrency);
  if (all === null || confirmed === null) return { kind: "unknown", detail: "an amount that is malformed" };
  return { all, confirmed, isShort: sums.gone.length > 0 };
}

/**
 * Returns the outcomes of all invoices of a top-up, the oldest first: its address while it can be paid, the totals of its
 * payments, and what remains if some have vanished. Returns only what a person must judge, if there is anything.
 */
export function outcomesOf(context: BtcpayContext, request: TopupRequest, found: readonly Found[]): TopupOutcome[] {
  const [oldest] = found;
  if (!oldest) return [];
  const judged = found.flatMap(({ invoice }) => objectionTo(context, request, invoice) ?? judgementOf(invoice) ?? []);
  if (judged.length > 0) return judged;
  const totals = totalsOf(request, found);
  if ("kind" in totals) return [totals];
  const { all, confirmed, isShort } = totals;
  const trace = traceOf(oldest.invoice);
  const currency = request.sourceCurrency;
  const isIn = (meaning: string) => (one: Found) => rowOf(INVOICE_STATUSES, one.invoice.status)?.meaning === meaning;
  const outcomes: TopupOutcome[] = isIn("open")(oldest) ? [instructionsOf(context, request, oldest)] : [];
  if (all > confirmed) outcomes.push({ kind: "funds_seen", amount: all, currency, confirmed: false, ...trace });
  if (confirmed > 0n) outcomes.push({ kind: "funds_seen", amount: confirmed, currency, confirmed: true, ...trace });
  if (isShort) outcomes.push({ kind: "funds_dropped", amount: all, currency, ...trace });
  if (all === 0n && found.every(isIn("over"))) outcomes.push({ kind: "expired", ...trace });
  return outcomes;
}
