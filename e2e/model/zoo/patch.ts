// What a planted bug is: a change of one place, and what must catch it.

export interface Patch {
  /** The fault after applying the patch, in a few words. */
  readonly name: string;
  readonly file: string;
  /** Name of a top-level function, constant or class of the file; of a migration, the first words of a statement. */
  readonly within: string;
  /** Source text of one node inside; whitespace does not matter. */
  readonly find: string;
  readonly replace: string;
  readonly caughtBy: Catcher;
}

/** The domain driver of the model on one kind of intent, or test files of one project. */
export type Catcher =
  | { readonly model: "payment" | "payout" | "topup" }
  | { readonly project: "unit" | "db"; readonly tests: readonly string[] };
