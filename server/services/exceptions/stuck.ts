// Owns exceptions of intents that do not end by themselves: opened where that shows, closed once they have ended.
import { findEndedStuckAcrossMerchants, resolveException } from "@/server/db/exceptions";
import { openStandingException } from "@/server/db/standing-exceptions";
import { type ExceptionFact, standstillException } from "@/server/domain/exceptions";
import { isPendingPayment, undecidedException } from "@/server/domain/pending-payment";
import type { IntentCore } from "@/server/domain/transition";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";

const BATCH = 100;

type Subject = IntentCore<string> & { readonly expiresAt?: Date; readonly payerActedAt?: Date | null };

/**
 * Opens the exception of an open intent's state, once while it is unresolved, and again when the state has outlasted its
 * resolution by a day. `at` is the merchant's time. Returns false when nothing was opened.
 */
export async function openStuck(intent: IntentCore<string>, fact: ExceptionFact, at: Date): Promise<boolean> {
  const { id: intentId, merchantId, environment } = intent;
  const opened = await openStandingException({ ...fact, scope: { merchantId, environment } }, at);
  if (opened) log().error({ intentId, merchantId, detail: fact.detail }, "an intent waits for a person");
  return opened;
}

/** Opens an exception for an open intent at which nothing has happened for a day, or for longer where that is in order. */
export async function openIfStandingStill(intent: Subject, at: Date): Promise<void> {
  const fact = isPendingPayment(intent) ? undecidedException(intent, at) : standstillException(intent, at);
  if (fact) await openStuck(intent, fact, at);
}

/** Resolves the exceptions of intents that have ended since; returns how many it found. */
export async function closeEndedStuck(): Promise<number> {
  const found = await findEndedStuckAcrossMerchants(BATCH);
  const act = { actor: { type: "worker", id: "worker" } as const, requestId: null, address: null };
  for (const { exception, status } of found) {
    await resolveException(exception, `It has ended: ${status}.`, { ...act, at: now() });
  }
  return found.length;
}
