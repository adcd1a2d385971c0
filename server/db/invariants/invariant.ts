// An invariant is a guarantee about all rows, with a query that finds the rows that break it.

export interface Invariant {
  /** Stable name, as printed and documented. */
  readonly name: string;
  /** What always holds, in one sentence. */
  readonly guarantee: string;
  /** Finds one row per breach. Read-only; returns ids, amounts and statuses, never free text. */
  readonly sql: string;
  /** Tables that must have rows for a meaningful check, optionally with a condition (`t WHERE …`). */
  readonly needs: readonly string[];
}
