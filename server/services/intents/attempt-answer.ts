// Turning an outcome into the record of the attempt that brought it.
import type { AttemptAnswer } from "@/server/db/commit/unit";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";

/** What is kept of an answer: its kind, and the provider's own reference and code for staff. */
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
