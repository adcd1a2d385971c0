// What counts as evidence that a provider accepted an intent, and the exception when the provider denies it later.
import { contradictionException, type ExceptionFact } from "./exceptions";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "./outcome";
import type { Contradiction, Failure } from "./transition";

type AnyOutcome = PaymentOutcome | PayoutOutcome | TopupOutcome;

const NO_ACCEPTANCE: ReadonlySet<string> = new Set<AnyOutcome["kind"]>(["never_accepted", "not_sent", "unknown"]);

/** Final refusals: the provider had the intent, and no money will move. */
const REFUSALS: ReadonlySet<string> = new Set<AnyOutcome["kind"]>([
  "declined",
  "invalid_recipient",
  "cancelled",
  "expired",
]);

/** Reports of acceptance that move no money. Reports of money open exceptions of their own. */
const WITHOUT_MONEY: ReadonlySet<string> = new Set<AnyOutcome["kind"]>(["pending", "requires_action", "instructions"]);

/**
 * True when the outcome of a call shows that the provider accepted the intent; null is a call without an answer. The
 * function `shows_acceptance` in the database is the same rule.
 */
export function showsAcceptance(outcome: string | null): boolean {
  return outcome !== null && !NO_ACCEPTANCE.has(outcome);
}

/** True if a report outside of any call shows that money of the intent may move at the provider, or has moved. */
export function bindsIntent(outcome: AnyOutcome): boolean {
  return showsAcceptance(outcome.kind) && !REFUSALS.has(outcome.kind);
}

/** The exception of a provider that denies an intent it accepted before. */
export function denialException(intentId: string, provider: string): ExceptionFact {
  const why =
    "The provider accepted the intent and now reports that it never did. Sluice neither sends it again, fails it nor releases its hold.";
  return contradictionException(intentId, provider, { why, provider });
}

interface Subject {
  readonly id: string;
  readonly status: string;
  readonly provider: string;
  readonly failure: Failure | null;
}

/**
 * A report of acceptance, of an intent that the provider cannot have: a payout that was never approved, an intent of another
 * provider, or one that failed because no provider accepted it. Null when the report contradicts nothing.
 */
export function unexpectedAcceptance(intent: Subject, provider: string, outcome: AnyOutcome): Contradiction | null {
  const why = WITHOUT_MONEY.has(outcome.kind) ? whyUnexpected(intent, provider) : null;
  return why === null
    ? null
    : { kind: "contradiction", exception: contradictionException(intent.id, provider, { why, provider }) };
}

function whyUnexpected(intent: Subject, provider: string): string | null {
  if (intent.failure?.code === "provider_unavailable") {
    return "The provider reports that it accepted the intent, but the intent had failed because no provider had accepted it.";
  }
  if (intent.status === "requires_approval") {
    return "The provider reports that it accepted the intent, but the intent awaits approval and was never sent.";
  }
  if (intent.status === "cancelled") {
    return "The provider reports that it accepted the intent, but the intent was cancelled and never sent.";
  }
  return intent.provider === provider
    ? null
    : `The provider reports that it accepted the intent, but ${intent.provider} has the intent.`;
}
