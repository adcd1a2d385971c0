// Owns exceptions of intents that do not end by themselves: opened where that shows, closed once they have ended.
import { findEndedStuckAcrossMerchants, openException, resolveException } from "@/server/db/exceptions";
import { type ExceptionFact, standstillException } from "@/server/domain/exceptions";
import { isPendingPayment, undecidedException } from "@/server/domain/pending-payment";
import type { IntentCore } from "@/server/domain/transition";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";

const BATCH = 100;

type Subject = IntentCore<string> & { readonly expiresAt?: Date; readonly payerActedAt?: Date | null };

/** Opens the exception of an open intent, once however often it is seen; `at` is the merchant's time. */
export async function openStuck(intent: IntentCore<string>, fact: ExceptionFact, at: Date): Promise<void> {
  const { id: intentId, merchantId, environment } = intent;
  if (await openException({ ...fact, scope: { merchantId, environment } }, at)) {
    log().error({ intentId, merchantId, detail: fact.detail }, "an intent waits for a person");
  }
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
