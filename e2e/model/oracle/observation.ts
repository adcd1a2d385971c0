// What the service could observe, in the order in which it processed it, and what must be true afterwards.
import type { Answer } from "../world/reports";

export interface Observation {
  /** Virtual ms. */
  readonly at: number;
  /** Position among all calls and deliveries; for an answer, that of its call. Time alone does not order them. */
  readonly tick: number;
  readonly answer: Answer;
  readonly by: "callback" | "creation" | "query" | "cancel";
  /** From a provider that had refused the intent. */
  readonly isFormer: boolean;
  /** A refusal that no remaining call can contradict, and without a further provider. */
  readonly isLastWord: boolean;
  /** Position of the reported fact in the provider's history; a smaller number is older. */
  readonly fact: number;
}

/** Where the money and the intent must be. Sums are minor units; wallet sums are relative to the start. */
export interface Expectation {
  readonly statuses: readonly string[];
  readonly failureCode: string | null;
  /** Available and held together. */
  readonly wallet: bigint;
  readonly held: bigint;
  /** Per currency, without zeros. */
  readonly suspense: Readonly<Record<string, bigint>>;
  /** Kinds of exceptions that must be open. */
  readonly exceptions: readonly string[];
  /** Kinds that can be open as well. */
  readonly tolerated: readonly string[];
}

/** What a driver reads back from the service under test, in the same units. */
export interface Actual {
  readonly status: string;
  readonly failureCode: string | null;
  readonly wallet: bigint;
  readonly held: bigint;
  readonly suspense: Readonly<Record<string, bigint>>;
  readonly exceptions: readonly string[];
  readonly events: readonly string[];
}

/** Sums per currency that add up and drop out at zero. */
export class Sums {
  readonly #sums = new Map<string, bigint>();

  add(currency: string, amount: bigint): void {
    const sum = (this.#sums.get(currency) ?? 0n) + amount;
    if (sum === 0n) this.#sums.delete(currency);
    else this.#sums.set(currency, sum);
  }

  get(currency: string): bigint {
    return this.#sums.get(currency) ?? 0n;
  }

  all(): Record<string, bigint> {
    return Object.fromEntries([...this.#sums].toSorted(([a], [b]) => a.localeCompare(b)));
  }
}
