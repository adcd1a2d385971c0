// Decisions about money in suspense that only the operator makes: those that the operator pays for.
import type { SuspenseBooking } from "@/server/db/suspense";
import type { Settlement } from "@/server/domain/suspense";
import { isId } from "@/server/platform/ids";

/** True for money of a top-up that has the top-up's own terms. Money in a token it did not ask for has none. */
export function hasTopupTerms(fact: string, { intentId, reason }: SuspenseBooking): boolean {
  const isOwn = reason !== "amount_mismatch" || fact.startsWith("topup_");
  return isOwn && isId("topupIntent", intentId);
}

/**
 * True for a loss that the operator bears, for money that the provider is said to have after all, and for a credit of what
 * the operator's top-up terms withheld. The merchant's own members would spend the operator's money by them.
 */
export function isOperatorsDecision(as: Settlement, fact: string, booking: SuspenseBooking): boolean {
  return as === "absorb" || as === "restore" || (as === "credit" && hasTopupTerms(fact, booking));
}
