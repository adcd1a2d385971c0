// A provider with a built-in adapter, as this driver plays it: a fake with its own books, and what its documents say that
// each answer means. Nothing here comes from the adapter.
import type { CreationCourse, Fact, History, Kind, QueryCourse } from "../world/history";
import type { Answer, Report } from "../world/reports";

/** The recipient of every payout. */
export const PAYEE = {
  type: "bank_account",
  accountNumber: "0123456789",
  bankCode: "058",
  holderName: "Ada Obi",
} as const;

/** A call about the intent. `other_object`: under our reference the provider has an object that is not ours. */
export interface Heard {
  readonly call: "create" | "query" | "cancel";
  readonly answer: Answer | { readonly kind: "other_object" };
  /** What the same answer reports besides, and first: the totals of a top-up are several reports. */
  readonly before?: readonly Report[];
}

/** What an intent is created with. */
export interface Wanted {
  /** Of a top-up: its destination's, as the amount is. */
  readonly currency: string;
  readonly country: string;
  /** Minor units. */
  readonly amount: bigint;
  /** The payment method; null for a payout. */
  readonly method: string | null;
  /** The bank of a payout's recipient, where it is not the payee's. */
  readonly bankCode?: string;
  /** Of a top-up: what the payer sends, in minor units of the token. */
  readonly source?: { readonly amount: bigint; readonly currency: string; readonly network: string };
}

export interface Webhook {
  readonly headers: Headers;
  readonly body: string;
}

/** The fake's side of one intent. */
export interface Scene {
  /** What the documents say about each call, in order; `isOver` is true once the payer's time is over. */
  listen(listener: (heard: Heard) => void, isOver: () => boolean): void;
  /** Our reference, once it is known. */
  named(reference: string): void;
  /** Prepares how the next creation call and the next query go. */
  prepare(creation: CreationCourse, query: QueryCourse): void;
  /** Applies a fact and returns true if it happened: those that this provider cannot have are skipped. */
  happen(fact: Fact): boolean;
  /** A signed webhook about the intent's present state; null while the provider does not have it. */
  webhook(): Webhook | null;
  /** A webhook that is signed but flawed. */
  flawed(flaw: "unreadable" | "not_json" | "unmatched"): Webhook;
  /** A webhook about the intent with a signature that is not the provider's. */
  forged(): Webhook;
  /** What the service asked the provider for that is not what the merchant wanted. */
  readonly wrongRequests: readonly string[];
  /** How often the provider executed the intent. */
  executions(): number;
  /** True if money of the payout has left. */
  readonly isSettled: boolean;
  /** True if the provider has the intent. */
  readonly isKnown: boolean;
}

export interface AdaptedProvider {
  readonly name: string;
  /** True if its adapter closes unpaid payments. */
  readonly cancels: boolean;
  /** An entry of PROVIDERS that serves the merchant. */
  entry(merchantId: string): object;
  wanted(kind: Kind): Wanted;
  scene(history: History): Scene;
  stop(): Promise<void>;
}
