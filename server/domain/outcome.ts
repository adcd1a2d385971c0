import type { PaymentNextAction, TopupNextAction } from "./next-action";
// The outcomes that a provider can report about one intent, for each kind of intent.

/** The provider's own reference and code, kept on the attempt for staff; never shown to the merchant. */
export interface ProviderTrace {
  readonly providerReference: string | null;
  readonly providerCode?: string;
  /** What the provider says the creation under this reference asked for, where it says so. */
  readonly intended?: ProviderSum;
}

/** A sum the provider says it moved; checked against the intent before any credit. */
export interface ProviderSum {
  readonly amount: bigint;
  readonly currency: string;
}

/** No reliable answer: time-out, broken connection, garbage. Resolved by a later poll, never guessed. */
export interface Unknown {
  readonly kind: "unknown";
  readonly detail: string;
  /** True if no later poll will resolve it without a person: the provider answered what its adapter cannot judge. */
  readonly needsOperator?: true;
}

/**
 * The call never left us, as when the connection was refused: this call can have had no effect, an earlier one may have.
 */
export interface NotSent {
  readonly kind: "not_sent";
  readonly detail: string;
}

/** The provider says for certain that it never accepted this intent. */
export interface NeverAccepted {
  readonly kind: "never_accepted";
  readonly detail: string;
}

export type ProviderOutcome = PaymentOutcome | PayoutOutcome | TopupOutcome;

export type PaymentOutcome =
  | ({ readonly kind: "requires_action"; readonly nextAction: PaymentNextAction } & ProviderTrace)
  | ({ readonly kind: "pending" } & ProviderTrace)
  /** `receiptId` names the money itself; null from a provider that sends no ids. */
  | ({ readonly kind: "succeeded"; readonly receiptId: string | null } & ProviderSum & ProviderTrace)
  | ({ readonly kind: "declined"; readonly message: string | null } & ProviderTrace)
  | ({ readonly kind: "cancelled" } & ProviderTrace)
  | ({ readonly kind: "expired" } & ProviderTrace)
  | NeverAccepted
  | NotSent
  | Unknown;

export type PayoutOutcome =
  | ({ readonly kind: "pending" } & ProviderTrace)
  | ({ readonly kind: "settled" } & ProviderSum & ProviderTrace)
  | ({ readonly kind: "declined"; readonly message: string | null } & ProviderTrace)
  | ({ readonly kind: "invalid_recipient"; readonly message: string | null } & ProviderTrace)
  /** The recipient's bank sent the money back after it had left; `amount` is what came back. */
  | ({ readonly kind: "returned" } & ProviderSum & ProviderTrace)
  | NeverAccepted
  | NotSent
  | Unknown;

/**
 * What a provider reports of a refund. `settled`: the payer has the money. `declined`: nothing left, and nothing will.
 * `returned`: it had settled, and the money came back to the account at the provider.
 */
export type RefundOutcome = Exclude<PayoutOutcome, { readonly kind: "invalid_recipient" }>;

export type TopupOutcome =
  | ({ readonly kind: "instructions"; readonly nextAction: TopupNextAction } & ProviderTrace)
  | ({ readonly kind: "pending" } & ProviderTrace)
  /** `amount` is the total received so far, in source minor units; `confirmed` once it can no longer be undone. */
  | ({ readonly kind: "funds_seen"; readonly confirmed: boolean } & ProviderSum & ProviderTrace)
  /** Funds that had been seen are gone again, the chain having been reorganised; `amount` is the total that remains. */
  | ({ readonly kind: "funds_dropped" } & ProviderSum & ProviderTrace)
  | ({ readonly kind: "declined"; readonly message: string | null } & ProviderTrace)
  | ({ readonly kind: "expired" } & ProviderTrace)
  | NeverAccepted
  | NotSent
  | Unknown;
