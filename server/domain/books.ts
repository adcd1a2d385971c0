// Decisions that depend on what is booked of an intent.
import type { BookedMovement } from "./booked-movement";
import type { LedgerTransaction } from "./ledger";
import type { BooksDependent, Decision, IntentCore } from "./transition";

/** The booked movements of an intent as of one instant. */
export interface Books {
  readonly movements: readonly BookedMovement[];
  /** One more than the highest `movementOrdinal` of the intent's bookings, those of other providers included. */
  readonly nextOrdinal: number;
}

/**
 * Decides by the books. What the decision books carries the next numbers: of two decisions on the same books, one is booked and
 * the other is made again.
 */
export function decideOnBooks<Intent extends IntentCore<string>>(
  compared: BooksDependent<Intent>,
  { movements, nextOrdinal }: Books,
): Exclude<Decision<Intent>, BooksDependent<Intent>> {
  const decision = compared.decide(movements);
  const numbered = <T extends LedgerTransaction>(transaction: T, place: number): T => {
    return { ...transaction, movementOrdinal: nextOrdinal + place };
  };
  switch (decision.kind) {
    case "unmatched_funds":
      return { ...decision, transaction: numbered(decision.transaction, 0) };
    case "planned":
      return { ...decision, plan: { ...decision.plan, transactions: decision.plan.transactions.map(numbered) } };
    default:
      return decision;
  }
}
