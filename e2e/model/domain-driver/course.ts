// Per kind of intent: the domain's decisions behind one interface, and the reports of the world as the domain's outcomes.
import { decideOnFormerProvider } from "@/server/domain/former-provider";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import {
  decideExpiry,
  decideOnPaymentOutcome,
  decidePaymentReroute,
  type PaymentIntent,
} from "@/server/domain/payment-intent";
import { decideScreeningRefusal } from "@/server/domain/payout-gate";
import { decideOnPayoutOutcome, decidePayoutReroute, type PayoutIntent } from "@/server/domain/payout-intent";
import type { Reroute, RoutingDecision } from "@/server/domain/routing";
import { ADDRESS, QR, samplePayment, samplePayout, sampleTopup } from "@/server/domain/testing/samples";
import { decideOnTopupOutcome, decideTopupExpiry, type TopupIntent } from "@/server/domain/topup-intent";
import type { Decision, IntentCore } from "@/server/domain/transition";
import type { History, Kind, Terms } from "../world/history";
import type { Answer, Report } from "../world/reports";

export type AnyOutcome = PaymentOutcome | PayoutOutcome | TopupOutcome;

const BRIDGES: RoutingDecision = { route: null, order: ["first", "second"], skipped: [], left: [] };
const ROUTED = { provider: "first", routing: BRIDGES };

/** The requested amount of a top-up is 200 USDT for 1,000.00 BRL; see `PERCENT` of the oracle. */
const TERMS: Readonly<Record<Terms, object>> = {
  plain: { rate: "5.000000", spreadAmount: 0n, feeAmount: 0n },
  spread: { rate: "5.025000", spreadAmount: 500n, feeAmount: 0n },
  fee: { rate: "5.000000", spreadAmount: 0n, feeAmount: 2_000_000n },
};

export function paymentOf(): PaymentIntent {
  return samplePayment("processing", ROUTED);
}

export function payoutOf({ approvals }: History): PayoutIntent {
  return samplePayout("requires_approval", { ...ROUTED, approvalsRequired: approvals });
}

export function topupOf({ terms, overpayment, underpayment, latePayment }: History): TopupIntent {
  const policies = { overpayment, underpayment, latePayment };
  const asked = { sourceAmount: 200_000_000n, feeMode: "absorbed" as const, policies };
  return sampleTopup("requires_payment", { ...ROUTED, ...TERMS[terms], ...asked });
}

const sum = ({ amount = "0", currency = "" }: Report) => ({ amount: BigInt(amount), currency });

function outcomeOfReport(kind: Kind, report: Report): AnyOutcome {
  const trace = { providerReference: report.provider_reference ?? null };
  switch (report.status) {
    case "requires_action":
      return kind === "payment"
        ? { kind: "requires_action", nextAction: QR, ...trace }
        : { kind: "instructions", nextAction: ADDRESS, ...trace };
    case "succeeded":
      return { kind: "succeeded", receiptId: report.receipt_id ?? null, ...sum(report), ...trace };
    case "settled":
    case "returned":
    case "funds_dropped":
      return { kind: report.status, ...sum(report), ...trace };
    case "funds_seen":
      return { kind: "funds_seen", confirmed: report.confirmed === true, ...sum(report), ...trace };
    case "declined":
    case "invalid_recipient":
      return { kind: report.status, message: null, ...trace };
    case "pending":
    case "cancelled":
    case "expired":
      return { kind: report.status, ...trace };
    default:
      throw new RangeError(`the world sent ${report.status}`);
  }
}

/** The domain's outcome of an answer. */
export function outcomeOf(kind: Kind, answer: Answer): AnyOutcome {
  if (answer.kind === "report") return outcomeOfReport(kind, answer.report);
  if (answer.kind === "unsent") return { kind: "not_sent", detail: "no connection" };
  if (answer.kind !== "refusal") return { kind: "unknown", detail: "no clear answer" };
  if (answer.code === "declined") return { kind: "declined", message: null, providerReference: null };
  return { kind: "never_accepted", detail: answer.code };
}

/** The decisions on one kind of intent. */
export interface Course<Intent extends IntentCore<string>> {
  /** `known` is the intent when the answered call began, or before the callback. */
  decide(intent: Intent, outcome: AnyOutcome, at: Date, known: Intent): Decision<Intent>;
  /** Decides on the report of a former provider. */
  decideFormer(intent: Intent, outcome: AnyOutcome): Decision<Intent>;
  /** Decides at the end of the payer's window; null if nothing expires. */
  readonly expire: ((intent: Intent, at: Date) => Decision<Intent>) | null;
  /** Decides after the screener refused the intent; null if it is not screened. */
  readonly refuse: ((intent: Intent, at: Date) => Decision<Intent>) | null;
  /** Null if no other provider can take the intent over. */
  readonly reroute: ((intent: Intent, to: Reroute, at: Date) => Decision<Intent>) | null;
}

const former = <Intent extends IntentCore<string>>(intent: Intent, outcome: AnyOutcome): Decision<Intent> =>
  decideOnFormerProvider(intent, "first", outcome);

export const PAYMENT: Course<PaymentIntent> = {
  decide: (intent, outcome, at, known) =>
    decideOnPaymentOutcome(intent, outcome as PaymentOutcome, at, known.payerActedAt),
  decideFormer: former,
  expire: decideExpiry,
  refuse: null,
  reroute: decidePaymentReroute,
};

export const PAYOUT: Course<PayoutIntent> = {
  decide: (intent, outcome, at) => decideOnPayoutOutcome(intent, outcome as PayoutOutcome, at),
  decideFormer: former,
  expire: null,
  refuse: decideScreeningRefusal,
  reroute: decidePayoutReroute,
};

export const TOPUP: Course<TopupIntent> = {
  decide: (intent, outcome, at) => decideOnTopupOutcome(intent, outcome as TopupOutcome, at),
  decideFormer: former,
  expire: decideTopupExpiry,
  refuse: null,
  reroute: null,
};
