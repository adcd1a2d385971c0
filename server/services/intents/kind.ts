// A kind of intent is one value of `IntentKind`: PAYMENTS, PAYOUTS and TOPUPS, each in `kind.ts` of its folder. Shared
// code takes that value as a parameter. `services/intent-kinds.ts` lists the kinds.
import type { Committer } from "@/server/db/commit/commit";
import type { ListMapping } from "@/server/db/intents/overview";
import type { IntentStore } from "@/server/db/intents/store";
import type { ProviderOutcome } from "@/server/domain/outcome";
import type { Reroute } from "@/server/domain/routing";
import type { Decision, IntentCore } from "@/server/domain/transition";
import type { Clock } from "@/server/platform/clock";
import type { DispatchedKind } from "@/server/platform/dispatch-reference";
import type { CallHistory, Gateway } from "@/server/psp/gateway";

/** How the intents of one kind are stored and changed. */
export interface IntentRecords<Intent> {
  readonly table: "payment_intent" | "payout_intent" | "topup_intent";
  readonly store: IntentStore<Intent>;
  readonly committer: Committer<Intent>;
}

/** The circumstances of a report. */
interface Report<Intent> {
  /** The intent as it was before its provider was called, or when the report arrived. */
  readonly before: Intent;
  /** When the report was received, in the merchant's time. */
  readonly reportedAt: Date;
}

/** What screening says about an intent that no provider has seen. */
export type Screened<Intent extends IntentCore<string>> =
  | { readonly kind: "clear" | "waits" }
  | { readonly kind: "refused"; decide(current: Intent, at: Date): Decision<Intent> };

interface CreatingCall {
  /** The database's time of the announcement. */
  readonly announcedAt: Date;
  readonly history: CallHistory;
}

interface PollingCall {
  /** The merchant's time. */
  readonly at: Date;
  readonly history: CallHistory;
}

/** Intents that wait for people before they may go to a provider. */
interface Gate<Intent> {
  isWaiting(intent: Intent): boolean;
  /** The worker calls this for a due intent that waits. */
  bringForward(intent: Intent, clock: Clock): Promise<void>;
}

/** One kind of intent: how it is stored, and how providers are called about it. `at` is always the merchant's time. */
export interface IntentKind<Intent extends IntentCore<string>, Outcome extends ProviderOutcome>
  extends IntentRecords<Intent> {
  readonly idKind: DispatchedKind;
  readonly statuses: readonly string[];
  /** For counting in lists. */
  readonly mapping: ListMapping;
  /** Null if intents of this kind never wait for people. */
  readonly gate: Gate<Intent> | null;
  /** True if an intent may fail on "never accepted" even after the provider may have forgotten its reference. */
  readonly safeToFail: boolean;

  /** The currency of the intent's wallet. */
  currency(intent: Intent): string;
  /** The part of a provider that can fail separately: the breaker counts faults per channel. */
  channel(intent: Intent): string;
  /** When the window ends; null if the intent does not expire, or not by time alone. */
  deadline(intent: Intent): Date | null;
  /** When to poll the provider next, if the intent is still open. */
  nextPollAt(intent: Intent, at: Date): Date;

  /** Runs before a call is announced. Throws NeedsOperator if the intent cannot be sent; no attempt is recorded. */
  prepare?(intent: Intent): void;
  /** Runs before the first call is announced. */
  screen?(intent: Intent, at: Date): Promise<Screened<Intent>>;
  /** Creates the intent at the provider. */
  send(gateway: Gateway, intent: Intent, signal: AbortSignal, call: CreatingCall): Promise<Outcome>;
  /** Polls the provider. */
  query(gateway: Gateway, intent: Intent, signal: AbortSignal, call: PollingCall): Promise<readonly Outcome[]>;
  /** Closes the intent at the provider; null if the provider has no such call. */
  cancel(gateway: Gateway, intent: Intent, signal: AbortSignal, history: CallHistory): Promise<Outcome> | null;

  decide(current: Intent, outcome: Outcome, at: Date, report: Report<Intent>): Decision<Intent>;
  decideReroute(current: Intent, reroute: Reroute, at: Date): Decision<Intent>;
  decideExpiry(current: Intent, at: Date): Decision<Intent>;
}

/** Any kind, for code that does not depend on its intents and outcomes. */
export type AnyIntentKind = IntentKind<IntentCore<string>, ProviderOutcome>;
