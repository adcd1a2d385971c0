// The outcomes that the simulator and the hosted payer page cause on demand, as payers or providers would.
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import type { PaymentRequest, PayoutQuery, TopupRequest } from "../gateway";
import { traceOf } from "./derive";
import { type Magic, magicOf } from "./magic";
import {
  declined,
  fundsSeen,
  paymentReports,
  paymentRequiresAction,
  paymentSucceeded,
  payoutSettled,
  topupInstructions,
  topupReports,
} from "./truth";

const DECLINED = "Declined in the simulator.";

/** Returns outcomes for a payment, oldest first, or null for a name that payments do not have. */
export function simulatePayment(request: PaymentRequest, outcome: string, now: Date): PaymentOutcome[] | null {
  const trace = traceOf(request.reference);
  const single = ((): PaymentOutcome | null => {
    switch (outcome) {
      case "requires_action":
        return paymentRequiresAction(request);
      case "succeeded":
        return paymentSucceeded(request);
      case "declined":
      case "failed":
        return declined(request.reference, DECLINED);
      case "pending":
      case "cancelled":
      case "expired":
        return { kind: outcome, ...trace };
      default:
        return null;
    }
  })();
  if (single === null) return null;
  const magic = magicOf(request.amount);
  if (single.kind === "expired" && magic === "late_money") {
    return paymentReports({ ...request, expiresAt: now }, now);
  }
  const open = single.kind === "pending" || single.kind === "requires_action";
  return disturbed(magic, single, open, { kind: "pending", ...trace }, paymentRequiresAction(request));
}

/** Returns outcomes for a dispatched payout, oldest first, or null for a name that payouts do not have. */
export function simulatePayout(request: PayoutQuery, outcome: string, _now: Date): PayoutOutcome[] | null {
  const trace = traceOf(request.reference);
  const single = ((): PayoutOutcome | null => {
    switch (outcome) {
      case "settled":
      case "succeeded":
        return payoutSettled(request);
      case "declined":
      case "failed":
        return declined(request.reference, DECLINED);
      case "invalid_recipient":
        return {
          kind: "invalid_recipient",
          message: "The recipient's account does not exist.",
          ...traceOf(request.reference, "sandbox_invalid_recipient"),
        };
      case "returned":
        return { kind: "returned", amount: request.amount, currency: request.currency, ...trace };
      default:
        return null;
    }
  })();
  if (single === null) return null;
  const pending: PayoutOutcome = { kind: "pending", ...trace };
  return disturbed(magicOf(request.amount), single, false, pending, pending);
}

/** Returns outcomes for a top-up, oldest first, or null for a name that top-ups do not have. */
export function simulateTopup(request: TopupRequest, outcome: string, now: Date): TopupOutcome[] | null {
  const magic = magicOf(request.destinationAmount);
  const trace = traceOf(request.reference);
  const single = ((): TopupOutcome | null => {
    switch (outcome) {
      case "funds_seen":
        return fundsSeen(request, 100n, false);
      case "funds_dropped":
        return { kind: "funds_dropped", amount: 0n, currency: request.sourceCurrency, ...trace };
      case "succeeded":
        return fundsSeen(request, paidPercent(magic), true);
      case "underpaid":
        return fundsSeen(request, paidPercent("underpaid"), true);
      case "overpaid":
        return fundsSeen(request, paidPercent("overpaid"), true);
      case "declined":
      case "failed":
        return declined(request.reference, DECLINED);
      case "expired":
        return { kind: "expired", ...trace };
      default:
        return null;
    }
  })();
  if (single === null) return null;
  if (single.kind === "expired" && magic === "late_money") return topupReports({ ...request, expiresAt: now }, now);
  return disturbed(magic, single, false, { kind: "pending", ...trace }, topupInstructions(request));
}

function paidPercent(magic: Magic): bigint {
  if (magic === "underpaid") return 50n;
  return magic === "overpaid" ? 110n : 100n;
}

/** For amounts that end in 06: repeats the outcome; a final one also follows an older and precedes a stale one. */
function disturbed<Outcome>(magic: Magic, news: Outcome, isOpen: boolean, older: Outcome, stale: Outcome): Outcome[] {
  if (magic !== "duplicates") return [news];
  return isOpen ? [news, news] : [older, news, news, stale];
}
