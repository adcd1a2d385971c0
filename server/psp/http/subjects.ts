// The requests and reports of each kind of intent at an external provider.
import type { PaymentOutcome, PayoutOutcome, RefundOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { PaymentRequest, PayoutQuery, RefundRequest, TopupRequest } from "../gateway";
import type { Subject } from "./conversation";
import type { Exponents } from "./exponents";
import { paymentNextAction, topupNextAction } from "./next-action";
import {
  cleanMessage,
  paymentOutcome,
  payoutOutcome,
  refundOutcome,
  topupOutcome,
  traceOf,
  unknown,
  withIntended,
} from "./reports";
import {
  type PaymentReport,
  type PayoutReport,
  type ProtocolVersion,
  paymentReport,
  payoutReport,
  type RefundReport,
  refundReport,
  type TopupReport,
  topupReport,
  type WireError,
} from "./wire";

/** The protocol version of a provider and how to read its amounts. */
export interface Reading {
  readonly exponents: Exponents;
  readonly protocol: ProtocolVersion;
  /** True when payers may be redirected to plain http, as in development. */
  readonly allowHttp: boolean;
}

const UNUSABLE = "instructions that do not fit the request";

function refused(error: WireError) {
  const trace = traceOf({ provider_reference: error.provider_reference, code: error.provider_code });
  return { message: cleanMessage(error.message), ...trace };
}

function declinedOnly(error: WireError) {
  return error.code === "declined" ? ({ kind: "declined", ...refused(error) } as const) : null;
}

function paymentReportFields(request: PaymentRequest, report: PaymentReport, reading: Reading): PaymentOutcome {
  if (report.status !== "requires_action") return paymentOutcome(report, reading.exponents);
  const nextAction = paymentNextAction(request, report.next_action, reading.allowHttp);
  return nextAction ? { kind: "requires_action", nextAction, ...traceOf(report) } : unknown(UNUSABLE);
}

function topupReportFields(request: TopupRequest, report: TopupReport, reading: Reading): TopupOutcome {
  if (report.status !== "requires_action") return topupOutcome(report, reading.exponents);
  const nextAction = topupNextAction(request, report.next_action);
  return nextAction ? { kind: "instructions", nextAction, ...traceOf(report) } : unknown(UNUSABLE);
}

/** Returns the requests and the conversion of reports for a payment. */
export function paymentSubject(request: PaymentRequest, reading: Reading): Subject<PaymentReport, PaymentOutcome> {
  return {
    path: "/v1/payments",
    reference: request.reference,
    schema: paymentReport[reading.protocol],
    outcome: (report) => withIntended(paymentReportFields(request, report, reading), report, reading.exponents),
    refusal: declinedOnly,
  };
}

/** Returns the requests and the conversion of reports for a payout. */
export function payoutSubject(request: PayoutQuery, reading: Reading): Subject<PayoutReport, PayoutOutcome> {
  return {
    path: "/v1/payouts",
    reference: request.reference,
    schema: payoutReport,
    outcome: (report) => withIntended(payoutOutcome(report, reading.exponents), report, reading.exponents),
    refusal: (error) =>
      error.code === "invalid_recipient" ? { kind: "invalid_recipient", ...refused(error) } : declinedOnly(error),
  };
}

/** Returns the requests and the conversion of reports for a top-up. */
export function topupSubject(request: TopupRequest, reading: Reading): Subject<TopupReport, TopupOutcome> {
  return {
    path: "/v1/topups",
    reference: request.reference,
    schema: topupReport,
    outcome: (report) => withIntended(topupReportFields(request, report, reading), report, reading.exponents),
    refusal: declinedOnly,
  };
}

/** Returns the requests and the conversion of reports for a refund. */
export function refundSubject(request: RefundRequest, reading: Reading): Subject<RefundReport, RefundOutcome> {
  return {
    path: "/v1/refunds",
    reference: request.reference,
    schema: refundReport,
    outcome: (report) => refundOutcome(report, reading.exponents),
    refusal: declinedOnly,
  };
}
