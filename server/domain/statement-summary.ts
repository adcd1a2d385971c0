// The head of a statement: where the balance began and ended, and what came in and went out, by kind of movement.

/** What movements of one kind came to; sums in minor units without a sign. */
export interface MovementTotal {
  readonly credited: bigint;
  readonly creditCount: number;
  readonly debited: bigint;
  readonly debitCount: number;
}

export interface KindTotal extends MovementTotal {
  /** The reason of the bookings. */
  readonly reason: string;
}

export interface StatementSummary {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly total: MovementTotal;
  /** In the order of their sums, the largest first. */
  readonly kinds: readonly KindTotal[];
}

const turnover = ({ credited, debited }: MovementTotal) => credited + debited;

/** Adds the kinds up; the opening balance is the closing one without them. */
export function summarize(closing: bigint, kinds: readonly KindTotal[]): StatementSummary {
  const total = kinds.reduce<MovementTotal>(
    (sum, kind) => ({
      credited: sum.credited + kind.credited,
      creditCount: sum.creditCount + kind.creditCount,
      debited: sum.debited + kind.debited,
      debitCount: sum.debitCount + kind.debitCount,
    }),
    { credited: 0n, creditCount: 0, debited: 0n, debitCount: 0 },
  );
  const sorted = [...kinds].sort((a, b) => (turnover(a) < turnover(b) ? 1 : -1));
  return { opening: closing - total.credited + total.debited, closing, total, kinds: sorted };
}
