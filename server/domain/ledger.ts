// The double-entry postings: every movement of money as balanced, signed entries per currency.

/**
 * Accounts of one merchant, environment and currency. Signs are the merchant's: `available` and `held` are what the
 * merchant owns and never go below zero; the others are counterparts and may. `provider_clearing` is one account per
 * provider (`clearingAccount`): below zero, the provider owes that sum. `bank` is the operator's bank account: below
 * zero, it holds that sum.
 */
export const LEDGER_ACCOUNTS = [
  "available",
  "held",
  "provider_clearing",
  "bank",
  "fees",
  "fx_spread",
  "suspense",
  "funding",
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** The accounts that every merchant has in each of its currencies; clearing accounts are opened when first used. */
export const OPENED_ACCOUNTS = LEDGER_ACCOUNTS.filter((account) => account !== "provider_clearing");

/** The stored name of a provider's clearing account. */
export function clearingAccount(provider: string): string {
  return `provider_clearing:${provider}`;
}

/** `amount` in minor units: positive adds to the account, negative takes from it. */
export interface LedgerEntry {
  readonly account: LedgerAccount;
  readonly currency: string;
  readonly amount: bigint;
}

export const LEDGER_REASONS = [
  "funding",
  "payment_credit",
  "payout_hold",
  "payout_release",
  "payout_settlement",
  "topup_credit",
  "late_money",
  "amount_mismatch",
  "bank_return",
  "provider_fee",
  "funds_dropped",
  "suspense_settlement",
  "provider_settlement",
  "clearing_split",
  "journal",
] as const;
export type LedgerReason = (typeof LEDGER_REASONS)[number];

/** Entries that are booked together and sum to zero per currency. */
export interface LedgerTransaction {
  readonly reason: LedgerReason;
  /** Unique per merchant: the database rejects a second booking of the same fact. */
  readonly uniqueKey: string;
  readonly intentId: string | null;
  readonly entries: readonly LedgerEntry[];
  /** Whose clearing account the `provider_clearing` entries book to; left out: the intent's provider at the commit. */
  readonly provider?: string;
  /**
   * Where the booking was decided by the booked movements of its intent: its number among such bookings, from 1. The database
   * refuses a number that is taken.
   */
  readonly movementOrdinal?: number;
  /** For a journal entry: the intent whose money it books. Its `movementOrdinal` is one of that intent's. */
  readonly journaledIntentId?: string;
}

/** Entries that move a sum from one account to another. */
export function transfer(from: LedgerAccount, to: LedgerAccount, currency: string, amount: bigint): LedgerEntry[] {
  return [
    { account: from, currency, amount: -amount },
    { account: to, currency, amount },
  ];
}

export interface Sum {
  readonly id: string;
  readonly currency: string;
  readonly amount: bigint;
}

export function movement(reason: LedgerReason, intent: Sum, from: LedgerAccount, to: LedgerAccount): LedgerTransaction {
  return {
    reason,
    uniqueKey: `${reason}:${intent.id}`,
    intentId: intent.id,
    entries: transfer(from, to, intent.currency, intent.amount),
  };
}

/**
 * A payment succeeded: the provider owes us, we owe the merchant (interface §6, payment_intent.succeeded). `uniqueKey`
 * names the money.
 */
export function paymentCredit(intent: Sum, uniqueKey: string): LedgerTransaction {
  return { ...movement("payment_credit", intent, "provider_clearing", "available"), uniqueKey };
}

/** A payout was created: its amount is set aside so that it cannot be spent twice. */
export function payoutHold(intent: Sum): LedgerTransaction {
  return movement("payout_hold", intent, "available", "held");
}

/** A payout was cancelled or failed: its hold goes back. */
export function payoutRelease(intent: Sum): LedgerTransaction {
  return movement("payout_release", intent, "held", "available");
}

/**
 * A payout settled: the held money left through the provider (interface §6, payout_intent.succeeded). Where a person found
 * that another sum `moved`, the hold still ends whole: the rest returns to the wallet, and suspense is short of an excess.
 */
export function payoutSettlement(intent: Sum, moved = intent.amount): IntentTransaction {
  const { id: intentId, currency, amount } = intent;
  const rest = amount - moved;
  const entries: LedgerEntry[] = [
    { account: "held", currency, amount: -amount },
    { account: "provider_clearing", currency, amount: moved },
    { account: rest > 0n ? "available" : "suspense", currency, amount: rest },
  ];
  return {
    reason: "payout_settlement",
    uniqueKey: `payout_settlement:${intentId}`,
    intentId,
    entries: entries.filter((entry) => entry.amount !== 0n),
  };
}

/** How a sum divides when it is credited, in minor units. */
export interface Shares {
  readonly credit: bigint;
  readonly spread: bigint;
  readonly fee: bigint;
}

export function creditedFrom(
  from: LedgerAccount,
  currency: string,
  { credit, spread, fee }: Shares,
  rest = 0n,
): LedgerEntry[] {
  const entries: LedgerEntry[] = [
    { account: from, currency, amount: -(credit + spread + fee + rest) },
    { account: "available", currency, amount: credit },
    { account: "fx_spread", currency, amount: spread },
    { account: "fees", currency, amount: fee },
    { account: "suspense", currency, amount: rest },
  ];
  return entries.filter(({ amount }) => amount !== 0n);
}

/** A transaction about one intent. */
export type IntentTransaction = LedgerTransaction & { readonly intentId: string };

/** Money a provider reports beside the regular course; `reference` is its own name for that payment. */
export interface ReceivedFunds {
  readonly intentId: string;
  readonly reference: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** One sum of the provider is booked once, whether it turned out to be the payment or to be stray. */
function receiptKey({ intentId, reference, currency, amount }: ReceivedFunds): string {
  return `receipt:${intentId}:${reference}:${currency}:${amount}`;
}

function receipt(reason: LedgerReason, received: ReceivedFunds, to: LedgerAccount): IntentTransaction {
  return {
    reason,
    uniqueKey: `${reason}:${received.intentId}:${received.reference}`,
    intentId: received.intentId,
    entries: transfer("provider_clearing", to, received.currency, received.amount),
  };
}

/** Money that no transition may credit: held in suspense until a person decides. */
export function toSuspense(reason: "late_money" | "amount_mismatch", received: ReceivedFunds): IntentTransaction {
  return incomingToSuspense(reason, receiptKey(received), received);
}

/** Incoming money of a payment that no transition may credit; `uniqueKey` names it. */
export function incomingToSuspense(
  reason: "late_money" | "amount_mismatch",
  uniqueKey: string,
  received: ReceivedFunds,
): IntentTransaction {
  return { ...receipt(reason, received, "suspense"), uniqueKey };
}

/** Money leaves suspense, or suspense is made good, as a person has decided; once for each `fact` that had booked it. */
export function settledFromSuspense(
  fact: string,
  { intentId, currency, amount }: Omit<ReceivedFunds, "reference">,
  decision: { readonly credit: Shares } | { readonly to: LedgerAccount },
): IntentTransaction {
  const entries =
    "credit" in decision
      ? creditedFrom("suspense", currency, decision.credit)
      : transfer("suspense", decision.to, currency, amount);
  return { reason: "suspense_settlement", uniqueKey: settlementKey(fact), intentId, entries };
}

/** What the unique keys of such decisions start with. */
export const DECISION_KEYS = "settled:";

/** The key of the transaction that settles what `fact` had booked. */
function settlementKey(fact: string): string {
  return `${DECISION_KEYS}${fact}`;
}

/**
 * A refund of money from suspense that had settled came back: it is in suspense again, once per refund, under a fact of its own.
 */
export function returnedRefund(
  refundId: string,
  { intentId, currency, amount }: Omit<ReceivedFunds, "reference">,
  provider: string,
): IntentTransaction {
  return {
    reason: "late_money",
    uniqueKey: `refund_returned:${refundId}`,
    intentId,
    provider,
    entries: transfer("provider_clearing", "suspense", currency, amount),
  };
}

/** A settled payout came back from the recipient's bank: the wallet has the money again, once per provider reference. */
export function bankReturn(received: ReceivedFunds): IntentTransaction {
  return receipt("bank_return", received, "available");
}

/** A return above the amount sent, or in another currency: stays in suspense until a person decides. */
export function excessToSuspense(returned: IntentTransaction): IntentTransaction {
  return {
    ...returned,
    reason: "amount_mismatch",
    uniqueKey: `amount_mismatch:${returned.uniqueKey}`,
    entries: returned.entries.map((entry) =>
      entry.account === "available" ? { ...entry, account: "suspense" } : entry,
    ),
  };
}

/** A line of a provider's settlement file. */
interface SettlementLineSum extends Sum {
  readonly provider: string;
  /** Names what the line says; a line is booked once. */
  readonly digest: string;
}

/** The fee that a provider deducted for one settlement line: it owes us less. */
export function providerFee({ provider, digest, ...intent }: SettlementLineSum): IntentTransaction {
  return {
    reason: "provider_fee",
    uniqueKey: `provider_fee:${provider}:${digest}`,
    intentId: intent.id,
    provider,
    entries: transfer("fees", "provider_clearing", intent.currency, intent.amount),
  };
}

/**
 * A provider paid the operator's bank account for one line of its settlement. A negative `amount` left the bank account:
 * for a payout, or for a fee of its own.
 */
export function providerSettlement({ provider, digest, ...intent }: SettlementLineSum): IntentTransaction {
  return {
    reason: "provider_settlement",
    uniqueKey: `provider_settlement:${provider}:${digest}`,
    intentId: intent.id,
    provider,
    entries: transfer("bank", "provider_clearing", intent.currency, intent.amount),
  };
}

/** Opening balance of a test wallet, or money an operator books into a live one. `key` makes it happen once. */
export function walletFunding(key: string, currency: string, amount: bigint): LedgerTransaction {
  return {
    reason: "funding",
    uniqueKey: `funding:${key}`,
    intentId: null,
    entries: transfer("funding", "available", currency, amount),
  };
}
