// Adding up a wallet's statement: running balances line by line, and what they leave unexplained, which must be nothing.

/** The accounts of a wallet that a merchant owns. */
export const WALLET_ACCOUNTS = ["available", "held"] as const;
export type WalletAccount = (typeof WALLET_ACCOUNTS)[number];

/** What one ledger transaction did to a wallet; sums in minor units, zero where it did nothing. */
export interface StatementEntry {
  readonly at: Date;
  readonly transactionId: string;
  readonly reason: string;
  readonly intentId: string | null;
  readonly available: bigint;
  readonly held: bigint;
}

/** A wallet's two balances. */
export interface Balances {
  readonly available: bigint;
  readonly held: bigint;
}

export interface StatementLine extends StatementEntry {
  /** The wallet after this transaction. */
  readonly after: Balances;
}

export interface Statement {
  readonly opening: Balances;
  readonly lines: readonly StatementLine[];
  readonly closing: Balances;
  /** What the stored balances have beyond opening and lines: nothing, or the books are wrong. */
  readonly unexplained: Balances;
}

function minus(a: Balances, b: Balances): Balances {
  return { available: a.available - b.available, held: a.held - b.held };
}

function plus(a: Balances, b: Balances): Balances {
  return { available: a.available + b.available, held: a.held + b.held };
}

/**
 * The statement of a period. `closing` comes from the balances that are kept, not from the lines: that the two agree is
 * what a statement is for.
 */
export function addUp(opening: Balances, entries: readonly StatementEntry[], closing: Balances): Statement {
  let running = opening;
  const lines = entries.map((entry) => {
    running = plus(running, entry);
    return { ...entry, after: running };
  });
  return { opening, lines, closing, unexplained: minus(closing, running) };
}
