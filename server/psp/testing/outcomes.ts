// Short names for outcomes in the tests of adapters.

/** A signal that is never aborted. */
export const { signal } = new AbortController();

interface Kinded {
  readonly kind: string;
}

export const kinds = (outcomes: readonly Kinded[]): string[] => outcomes.map(({ kind }) => kind);
export const kindOf = async (outcome: Promise<Kinded | undefined>): Promise<string | undefined> =>
  (await outcome)?.kind;
/** Which of the outcomes ask for a person. */
export const needs = (outcomes: readonly object[]): boolean[] => outcomes.map((outcome) => "needsOperator" in outcome);
