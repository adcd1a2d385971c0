// Converts an external provider's report to an outcome. A report that contradicts itself or the request becomes
// `unknown`.
import type {
  PaymentOutcome,
  PayoutOutcome,
  ProviderSum,
  ProviderTrace,
  RefundOutcome,
  TopupOutcome,
  Unknown,
} from "@/server/domain/outcome";
import { type Exponents, fromProviderUnits } from "./exponents";
import type { PaymentReport, PayoutReport, RefundReport, TopupReport } from "./wire";

const MAXIMUM_MESSAGE = 512;

/** Returns an unknown outcome with a reason for staff. */
export function unknown(detail: string): Unknown {
  return { kind: "unknown", detail };
}

/**
 * Cleans a provider's message for people: control characters and line breaks become spaces, lone surrogates are
 * replaced, and a long text is truncated.
 */
export function cleanMessage(message: string | null | undefined): string | null {
  if (!message) return null;
  const flat = message
    .slice(0, 4 * MAXIMUM_MESSAGE)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return [...flat].slice(0, MAXIMUM_MESSAGE).join("") || null;
}

/** Returns a status that no table has, for staff: without what does not belong into a log. */
export function shownStatus(status: string): string {
  return cleanMessage(status)?.slice(0, 40) ?? "an empty one";
}

interface TraceFields {
  readonly provider_reference?: string | null | undefined;
  readonly code?: string | null | undefined;
}

export function traceOf({ provider_reference, code }: TraceFields): ProviderTrace {
  const providerReference = provider_reference ?? null;
  return code ? { providerReference, providerCode: code } : { providerReference };
}

function sumOf(report: { amount: string; currency: string }, exponents: Exponents): ProviderSum | null {
  const amount = fromProviderUnits(BigInt(report.amount), report.currency, exponents);
  return amount === null ? null : { amount, currency: report.currency };
}

const NO_SUM = "a sum that our minor units cannot express";

interface RequestedAmountFields {
  readonly intent_amount?: string | null | undefined;
  readonly intent_currency?: string | null | undefined;
}

/** Adds the amount that the provider reports as requested; `unknown` if that amount cannot be expressed. */
export function withIntended<Outcome extends PaymentOutcome | PayoutOutcome | TopupOutcome>(
  outcome: Outcome,
  { intent_amount: amount, intent_currency: currency }: RequestedAmountFields,
  exponents: Exponents,
): Outcome | Unknown {
  if (!amount || !currency || !("providerReference" in outcome)) return outcome;
  const intended = sumOf({ amount, currency }, exponents);
  return intended ? { ...outcome, intended } : unknown(NO_SUM);
}

type WithoutInstructions<Report extends { status: string }> = Exclude<Report, { status: "requires_action" }>;

/** Converts a payment's report, unless it holds instructions. */
export function paymentOutcome(report: WithoutInstructions<PaymentReport>, exponents: Exponents): PaymentOutcome {
  const trace = traceOf(report);
  switch (report.status) {
    case "succeeded": {
      const sum = sumOf(report, exponents);
      const receiptId = "receipt_id" in report ? report.receipt_id : null;
      return sum ? { kind: "succeeded", receiptId, ...sum, ...trace } : unknown(NO_SUM);
    }
    case "declined":
      return { kind: "declined", message: cleanMessage(report.message), ...trace };
    default:
      return { kind: report.status, ...trace };
  }
}

/** Converts a payout's report. */
export function payoutOutcome(report: PayoutReport, exponents: Exponents): PayoutOutcome {
  if (report.status !== "invalid_recipient") return refundOutcome(report, exponents);
  return { kind: report.status, message: cleanMessage(report.message), ...traceOf(report) };
}

/** Converts a refund's report. */
export function refundOutcome(report: RefundReport, exponents: Exponents): RefundOutcome {
  const trace = traceOf(report);
  switch (report.status) {
    case "pending":
      return { kind: "pending", ...trace };
    case "settled":
    case "returned": {
      const sum = sumOf(report, exponents);
      return sum ? { kind: report.status, ...sum, ...trace } : unknown(NO_SUM);
    }
    default:
      return { kind: report.status, message: cleanMessage(report.message), ...trace };
  }
}

/** Converts a top-up's report, unless it holds instructions. */
export function topupOutcome(report: WithoutInstructions<TopupReport>, exponents: Exponents): TopupOutcome {
  const trace = traceOf(report);
  switch (report.status) {
    case "funds_seen": {
      const sum = sumOf(report, exponents);
      return sum ? { kind: "funds_seen", confirmed: report.confirmed, ...sum, ...trace } : unknown(NO_SUM);
    }
    case "funds_dropped": {
      const sum = sumOf(report, exponents);
      return sum ? { kind: "funds_dropped", ...sum, ...trace } : unknown(NO_SUM);
    }
    case "declined":
      return { kind: "declined", message: cleanMessage(report.message), ...trace };
    default:
      return { kind: report.status, ...trace };
  }
}
