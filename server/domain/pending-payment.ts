// Payments whose payer has acted and whose provider has not decided: how long they wait, and when a person is asked.
import { type ExceptionFact, stuckException } from "./exceptions";
import { DECISION_SECONDS, findPaymentMethod } from "./payment-methods";
import { type IntentCore, notBefore } from "./transition";

const HOUR_MS = 60 * 60 * 1000;

/** What is read of a payment. */
interface Payment extends IntentCore<string> {
  readonly paymentMethod: string;
  readonly payerActedAt: Date | null;
}

function decisionTimeMs({ paymentMethod }: Pick<Payment, "paymentMethod">): number {
  return (findPaymentMethod(paymentMethod)?.decidesInSeconds ?? DECISION_SECONDS) * 1000;
}

/** True while the payer has acted and the provider has not decided. Such a payment never expires by time. */
export function isPendingPayment(
  intent: IntentCore<string> & { readonly payerActedAt?: Date | null },
): intent is Payment & { readonly payerActedAt: Date } {
  return intent.status === "processing" && (intent.payerActedAt ?? null) !== null;
}

/**
 * The time of a payer's action that is reported at `now`. Each action is later than the one before, so that two within one
 * millisecond still differ: an answer that began between them is recognized as old.
 */
export function payerActionAt({ payerActedAt, updatedAt }: Payment, now: Date): Date {
  const earliest = payerActedAt === null ? 0 : payerActedAt.getTime() + 1;
  return notBefore(now, new Date(Math.max(updatedAt.getTime(), earliest)));
}

/** Until when the provider of a pending payment may take to decide; null for any other payment. */
export function decisionDeadline(intent: Payment): Date | null {
  return isPendingPayment(intent) ? new Date(intent.payerActedAt.getTime() + decisionTimeMs(intent)) : null;
}

/** The exception of a pending payment whose provider has not decided in time; null until then. */
export function undecidedException(intent: Payment, now: Date): ExceptionFact | null {
  const deadline = decisionDeadline(intent);
  if (!deadline || now.getTime() < deadline.getTime()) return null;
  const hours = decisionTimeMs(intent) / HOUR_MS;
  const why = `The payer has acted, and the provider has not reported the result within ${hours} hours.`;
  return stuckException(intent.id, "undecided", why);
}
