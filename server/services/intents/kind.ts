// A kind of intent is one value of `IntentKind`: PAYMENTS, PAYOUTS and TOPUPS, each in `kind.ts` of its folder. What all kinds
// share takes that value as a parameter. `services/intent-kinds.ts` lists the kinds.
import type { Committer } from "@/server/db/commit/commit";
import type { ListMapping } from "@/server/db/intents/overview";
import type { IntentStore } from "@/server/db/intents/store";
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { Reroute } from "@/server/domain/routing";
import type { Decision, IntentCore } from "@/server/domain/transition";
import type { Clock } from "@/server/platform/clock";
import type { DispatchedKind } from "@/server/platform/dispatch-reference";
import type { Gateway } from "@/server/psp/gateway";

/** How the intents of one kind are stored and changed. */
export interface IntentRecords<Intent> {
  readonly table: "payment_intent" | "payout_intent" | "topup_intent";
  readonly store: IntentStore<Intent>;
  readonly committer: Committer<Intent>;
}

/** Where a report comes from. */
interface Report<Intent> {
  /** The intent as it was before its provider was called, or when the report arrived. */
  readonly before: Intent;
  /** When it was received, in the merchant's time. */
  readonly reportedAt: Date;
}

/** Intents that wait for people before they may go to a provider. */
interface Gate<Intent> {
  isWaiting(intent: Intent): boolean;
  /** What the worker does with a due intent that waits. */
  bringForward(intent: Intent, clock: Clock): Promise<void>;
}

/** One kind of intent: how it is stored, and how providers are called about it. `at` is always the merchant's time. */
export interface IntentKind<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>
  extends IntentRecords<Intent> {
  readonly idKind: DispatchedKind;
  readonly statuses: readonly string[];
  /** For counting in lists. */
  readonly mapping: ListMapping;
  /** Null where nothing waits for people. */
  readonly gate: Gate<Intent> | null;
  /** True when a provider that never accepted the intent leaves no doubt, even after it may have forgotten it. */
  readonly safeToFail: boolean;

  /** The currency of the wallet that it moves. */
  currency(intent: Intent): string;
  /** What a provider may be down in by itself: faults of calls on one channel are counted together. */
  channel(intent: Intent): string;
  /** When the payer's time is up; null when the intent does not expire, or not by time alone. */
  deadline(intent: Intent): Date | null;
  /** When to poll the provider about an intent that did not end. */
  nextPollAt(intent: Intent, at: Date): Date;

  /** Runs before a call is announced: what cannot be sent is no attempt. Throws NeedsOperator. */
  prepare?(intent: Intent): void;
  /** Creates the intent at the provider. `announcedAt` is the database's time of the announcement. */
  send(gateway: Gateway, intent: Intent, signal: AbortSignal, announcedAt: Date): Promise<Outcome>;
  /** Asks the provider how the intent stands. */
  query(gateway: Gateway, intent: Intent, signal: AbortSignal, at: Date): Promise<readonly Outcome[]>;
  /** Closes the intent at the provider; null when the provider has no such call. */
  cancel(gateway: Gateway, intent: Intent, signal: AbortSignal): Promise<Outcome> | null;

  decide(current: Intent, outcome: Outcome, at: Date, report: Report<Intent>): Decision<Intent>;
  decideReroute(current: Intent, reroute: Reroute, at: Date): Decision<Intent>;
  decideExpiry(current: Intent, at: Date): Decision<Intent>;
}

/** A kind whose intents and outcomes are not known more closely. */
export type AnyIntentKind = IntentKind<IntentCore<string>, ProviderOutcome>;
