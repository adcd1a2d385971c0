// What happens to each payment of the bench: its fate is the last digit of its amount, so that load, provider and count
// agree without talking to each other.

export type Fate = "paid" | "expired" | "declined";

/** Fates by the last digit of the amount: 60 % are paid, 30 % expire, 10 % are declined. */
export const FATES: readonly Fate[] = [
  "paid",
  "expired",
  "paid",
  "paid",
  "expired",
  "paid",
  "declined",
  "paid",
  "expired",
  "paid",
];

const LEAST_AMOUNT = 1_000;

/** The amount of the n-th payment, in minor units. */
export function amountOf(n: number): number {
  return LEAST_AMOUNT + (n % FATES.length);
}

/** The fate of a payment of this amount. */
export function fateOf(amount: string): Fate {
  return FATES[Number(amount) % FATES.length] ?? "expired";
}

/** How the provider treats payments created from now on. */
export interface Course {
  /** Origin of the service. */
  readonly callbackOrigin?: string;
  readonly expiresAfterMs: number;
  /** Payers pay at a random time between these, counted from the creation. */
  readonly paidFromMs: number;
  readonly paidToMs: number;
}

export interface ProviderTask {
  readonly name: string;
  /** Key of the signatures. */
  readonly secret: string;
  /** Concurrent connections for callbacks. */
  readonly connections: number;
}

/** Counts of the provider. */
export interface Book {
  readonly created: number;
  readonly paid: number;
  readonly declined: number;
  readonly polls: number;
  /** The largest number of polls about one payment. */
  readonly mostPolls: number;
  /** Acknowledged callbacks. */
  readonly callbacks: number;
  readonly retriedCallbacks: number;
  /** Callbacks that are not acknowledged yet. */
  readonly unsent: number;
}
