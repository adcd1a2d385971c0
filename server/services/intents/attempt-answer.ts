import type { AttemptAnswer } from "@/server/db/commit/calls";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";

/** The stored part of an answer: the kind of outcome, and the provider's own reference and code for staff. */
export function attemptAnswer(id: string, outcome: PaymentOutcome | PayoutOutcome | TopupOutcome): AttemptAnswer {
  const trace = "providerReference" in outcome ? outcome : null;
  return {
    id,
    state: outcome.kind === "unknown" ? "unknown" : "answered",
    outcome: outcome.kind,
    providerReference: trace?.providerReference ?? null,
    providerCode: trace?.providerCode ?? null,
  };
}
