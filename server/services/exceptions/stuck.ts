// Opens exceptions for intents that are stuck, and resolves them once the intents have ended.
import { findEndedStuckAcrossMerchants } from "@/server/db/ended-exceptions";
import { resolveException } from "@/server/db/exceptions";
import {
  type OpeningVerdict,
  openStandingException,
  openStandingExceptionAbout,
} from "@/server/db/standing-exceptions";
import { type ExceptionFact, NOBODY, stalledException, stuckException } from "@/server/domain/exceptions";
import type { ProviderOutcome } from "@/server/domain/outcome";
import { isPendingPayment, undecidedException } from "@/server/domain/pending-payment";
import type { Scope } from "@/server/domain/scope";
import type { IntentCore } from "@/server/domain/transition";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";

const BATCH = 100;

type Subject = IntentCore<string> & { readonly expiresAt?: Date; readonly payerActedAt?: Date | null };

/**
 * Opens an exception about the state of an open intent or refund, unless one is unresolved. Opens another if the state persists
 * for a day after the resolution. `at` is the merchant's time. Returns false if nothing was opened.
 */
export async function openStuck(
  intent: Scope & { readonly id: string },
  fact: ExceptionFact,
  at: Date,
): Promise<boolean> {
  const opened = await openStandingException({ ...fact, scope: intent }, at);
  if (opened) logOpened(intent, fact);
  return opened;
}

/** Like `openStuck`, for a report that contradicts the intent. Returns `moved` if the intent changed after it was read. */
export async function openContradiction(
  table: "payment_intent" | "payout_intent" | "topup_intent",
  intent: IntentCore<string>,
  fact: ExceptionFact,
  at: Date,
): Promise<OpeningVerdict> {
  const verdict = await openStandingExceptionAbout(table, intent.revision, { ...fact, scope: intent }, at);
  if (verdict === "opened") logOpened(intent, fact);
  return verdict;
}

function logOpened({ id: intentId, merchantId }: { id: string; merchantId: string }, { detail }: ExceptionFact): void {
  log().error({ intentId, merchantId, detail }, "an intent requires an operator");
}

/** Opens an exception if the provider answered what its adapter cannot judge; `outcomes` are those of one poll. */
export async function openUnmapped(
  intent: IntentCore<string>,
  outcomes: readonly ProviderOutcome[],
  at: Date,
): Promise<void> {
  for (const outcome of outcomes) {
    if (outcome.kind !== "unknown" || !outcome.needsOperator) continue;
    await openStuck(intent, stuckException(intent.id, "unmapped", outcome.detail), at);
  }
}

/** Opens an exception for an open intent without a change for a day, or for longer where a longer wait is normal. */
export async function openStalledException(intent: Subject, at: Date): Promise<void> {
  const fact = isPendingPayment(intent) ? undecidedException(intent, at) : stalledException(intent, at);
  if (fact) await openStuck(intent, fact, at);
}

/** Resolves the exceptions of intents that have since ended; returns how many it found. */
export async function resolveEndedStuck(): Promise<number> {
  const found = await findEndedStuckAcrossMerchants(BATCH);
  const act = { actor: { type: "worker", id: "worker" } as const, requestId: null, address: null };
  for (const { exception, status } of found) {
    const resolve = () => resolveException(exception, `It has ended: ${status}.`, { ...act, at: now() });
    await withinMerchant(exception.merchantId ?? NOBODY, resolve);
  }
  return found.length;
}
