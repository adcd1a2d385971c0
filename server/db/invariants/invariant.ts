// What an invariant is: a promise about all rows at once, and the query that finds the rows that break it.

export interface Invariant {
  /** Stable name, as printed and documented. */
  readonly name: string;
  /** What always holds, in one sentence. */
  readonly guarantee: string;
  /** Finds one row per breach and none while it holds. Read-only; shows ids, sums, statuses, never what people wrote. */
  readonly sql: string;
  /** What must have rows for the check to mean anything: a table, or a table and a condition (`t WHERE …`). */
  readonly needs: readonly string[];
}
