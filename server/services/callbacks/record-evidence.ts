// Stores what callbacks show about acceptance.

import { recordAcceptance } from "@/server/db/attempts";
import { bindsIntent } from "@/server/domain/acceptance";
import type { PaymentOutcome, PayoutOutcome, TopupOutcome } from "@/server/domain/outcome";
import { newId } from "@/server/platform/ids";
import { gatewayByName } from "@/server/psp/registry";
import type { AnyIntent } from "../intent-kinds";
import { attemptAnswer } from "../intents/attempt-answer";
import { merchantClock } from "../merchants/settings";

/**
 * Stores what a callback of `provider` shows about its acceptance, so that a later denial is rejected. Stores nothing
 * if the provider's own report ended the intent. Returns true if the evidence is new.
 */
export async function recordEvidence(
  { kind, intent }: AnyIntent,
  provider: string,
  outcomes: readonly (PaymentOutcome | PayoutOutcome | TopupOutcome)[],
): Promise<boolean> {
  const outcome = outcomes.find(bindsIntent);
  const isEnded = intent.dueAt === null && intent.failure?.code !== "provider_unavailable";
  if (!outcome || (isEnded && intent.provider === provider)) return false;
  const at = (await merchantClock(intent))();
  const attemptId = newId("attempt");
  const { account = null, subAccounts } = gatewayByName(provider) ?? {};
  const called = { provider, account, subAccount: subAccounts?.[intent.merchantId] ?? null };
  return recordAcceptance(intent, kind, attemptId, { ...called, ...attemptAnswer(attemptId, outcome) }, at);
}
