// What a provider moved, of ledger transactions that are booked.
import type { BookedMovement } from "../booked-movement";
import type { LedgerTransaction } from "../ledger";
import type { BooksDependent, Decision, IntentCore } from "../transition";

/** The movements of transactions, all through one provider. */
export function movementsOf(transactions: Iterable<LedgerTransaction>): BookedMovement[] {
  return [...transactions].flatMap(({ uniqueKey, entries }) =>
    entries
      .filter(({ account }) => account === "provider_clearing")
      .map(({ currency, amount }) => ({ uniqueKey, currency, amount: -amount, reference: null })),
  );
}

/** What a decision means where these transactions are booked, all through one provider. */
export function decidedWith<Intent extends IntentCore<string>>(
  decision: Decision<Intent>,
  booked: Iterable<LedgerTransaction> = [],
): Exclude<Decision<Intent>, BooksDependent<Intent>> {
  return decision.kind === "depends_on_books" ? decision.decide(movementsOf(booked)) : decision;
}
