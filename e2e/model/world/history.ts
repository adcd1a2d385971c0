// A history: everything that the outside world does to one intent, as plain data that can be stored, replayed and shrunk.

export const KINDS = ["payment", "payout", "topup"] as const;
export type Kind = (typeof KINDS)[number];

/** How one creation call ends. `answer_late`: the answer arrives with a later delivery. */
export const CREATION_COURSES = [
  "answered",
  "answer_lost",
  "answer_late",
  "request_lost",
  "garbled",
  "unsent",
  "not_accepted",
  "declined",
] as const;
export type CreationCourse = (typeof CREATION_COURSES)[number];

/** How one query is answered. `lagging`: by a replica that is behind. `late`: the answer arrives with a later delivery. */
export const QUERY_COURSES = ["current", "lagging", "silent", "garbled", "late"] as const;
export type QueryCourse = (typeof QUERY_COURSES)[number];

/** Amounts relative to the requested one. */
export const SUMS = ["right", "less", "more", "other_currency"] as const;
export type Sum = (typeof SUMS)[number];

export const MISDIRECTED = ["pending", "settled", "declined", "invalid_recipient", "returned"] as const;
export type MisdirectedStatus = (typeof MISDIRECTED)[number];

export type Fact =
  | { readonly fact: "instruct" | "payer_acts" | "decline" | "payer_cancels" | "give_up" }
  /**
   * Money of the payer; `money` distinguishes receipts, `isNamed` states whether this report has a provider reference.
   */
  | { readonly fact: "pay"; readonly money: number; readonly sum: Sum; readonly isNamed: boolean }
  /** Another amount under the names of money that was reported before. */
  | { readonly fact: "correct"; readonly money: number; readonly sum: Sum }
  /** Money that a former provider moved; `money` distinguishes movements, `isNamed` as in `pay`. */
  | { readonly fact: "former_pays"; readonly money: number; readonly sum: Sum; readonly isNamed: boolean }
  /** A former provider reports that it has the intent. */
  | { readonly fact: "former_accepts" }
  /** The first settlement; `isNamed` as in `pay`. */
  | { readonly fact: "settle"; readonly sum: Sum; readonly isNamed: boolean }
  /** A second settlement: another amount under the first one's reference, or any amount under its own. */
  | { readonly fact: "settle_again"; readonly sum: Sum; readonly reference: "same" | "other" }
  | { readonly fact: "reject_recipient" }
  /** The recipient's bank sends back `percent` of the payout. */
  | { readonly fact: "return"; readonly bank: number; readonly percent: number }
  /** A report on a payout that the provider was never sent. */
  | { readonly fact: "misdirect"; readonly status: MisdirectedStatus }
  /** The provider loses everything it knew of the intent, or all but the first entries of its record. */
  | { readonly fact: "forget" | "restore" }
  /** The payer sends `percent` of the requested amount, in the requested token or another one. */
  | { readonly fact: "send"; readonly percent: number; readonly token: "asked" | "other" }
  | { readonly fact: "confirm"; readonly extent: "all" | "oldest" }
  /** The chain is reorganized: the newest transfer is gone. */
  | { readonly fact: "drop" };

/** `almost` ends one minute before the payer's window does, `deadline` one second after; neither moves time back. */
export const WAITS = ["second", "minutes", "almost", "deadline", "hours"] as const;
export type Wait = (typeof WAITS)[number];

/**
 * How a signed callback is flawed. `unreadable`: an amount without its currency. `not_json`: not JSON. `unmatched`: an
 * unknown reference.
 */
export const FLAWS = ["unreadable", "not_json", "unmatched"] as const;
export type Flaw = (typeof FLAWS)[number];

/** Items name deliveries of the outbox, counted from the newest, modulo its length. Several items arrive at the same moment. */
export type Step =
  | { readonly do: "wait"; readonly wait: Wait }
  | { readonly do: "fact"; readonly fact: Fact }
  | { readonly do: "deliver"; readonly items: readonly number[] }
  | { readonly do: "look"; readonly course: QueryCourse; readonly items: readonly number[] }
  | { readonly do: "misdeliver"; readonly flaw: Flaw }
  | { readonly do: "approve" | "cancel" };

export const POLICIES = ["credit_actual", "hold", "refund"] as const;
type Policy = (typeof POLICIES)[number];

/** Top-up terms in whole percents of the requested amount: each is exact, so that no rounding hides a fault. */
export const TERMS = ["plain", "spread", "fee"] as const;
export type Terms = (typeof TERMS)[number];

export interface History {
  readonly kind: Kind;
  /** Version of the provider protocol. */
  readonly protocol: 1 | 2;
  /** One course per creation call; calls beyond the list are answered. */
  readonly creations: readonly CreationCourse[];
  /** True if a second provider can take what the first refused with certainty. */
  readonly hasFallback: boolean;
  /** True if the provider supports cancel calls at the end of the window. */
  readonly cancels: boolean;
  /** True if callbacks that no step delivers are lost for good. */
  readonly losesRest: boolean;
  /** True if the provider sends all its callbacks under one id. */
  readonly reusesId: boolean;
  /** The number of approvals that a payout needs. */
  readonly approvals: 1 | 2;
  /** True if the screener refuses the payout before it is sent. Only the domain driver has a screener. */
  readonly isRefused: boolean;
  readonly terms: Terms;
  readonly overpayment: Policy;
  readonly underpayment: Policy;
  readonly latePayment: Policy;
  readonly steps: readonly Step[];
}

/** What the provider received with the creation call; times are virtual ms. */
export interface Asked {
  readonly amount: bigint;
  readonly currency: string;
  readonly expiresAt: number;
}
