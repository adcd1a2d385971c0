// Top-ups of the scripted provider, for tests on a database. That provider quotes no rates, so they are written as if it had.
import { onlyProvider } from "@/server/domain/routing";
import { sampleTopup } from "@/server/domain/testing/samples";
import { decideTopupExpiry, QUOTE_LIFETIME_MS, type TopupIntent } from "@/server/domain/topup-intent";
import type { TopupPolicies } from "@/server/domain/topup-terms";
import { now } from "@/server/platform/clock";
import { newId } from "@/server/platform/ids";
import { recordCreation, recordTransition } from "@/server/services/intents/transition";
import { TOPUPS } from "@/server/services/topups/kind";
import type { TestMerchant } from "./merchant";

interface ScriptedTopup {
  readonly policies?: TopupPolicies;
  /** Whether the quote has just ended. */
  readonly isOver?: boolean;
}

/** Creates a live top-up that awaits payment. Throws unless it was committed. */
export async function scriptedTopup(
  { scope, context }: TestMerchant,
  { policies, isOver = false }: ScriptedTopup = {},
): Promise<TopupIntent> {
  const createdAt = new Date(now().getTime() - (isOver ? QUOTE_LIFETIME_MS : 0));
  const intent = sampleTopup("requires_payment", {
    ...scope,
    id: newId("topupIntent"),
    provider: "scripted",
    routing: onlyProvider("scripted"),
    ...(policies && { policies }),
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(createdAt.getTime() + QUOTE_LIFETIME_MS),
  });
  const outcome = await recordCreation(TOPUPS, intent, [], { context });
  if (outcome !== "committed") throw new Error(`the top-up was not created: ${outcome}`);
  return intent;
}

/** Lets a top-up expire whose quote has ended. */
export async function expireTopup({ context }: TestMerchant, topup: TopupIntent): Promise<void> {
  const decide = (current: TopupIntent) => decideTopupExpiry(current, now());
  await recordTransition(TOPUPS, topup, decide, { context, at: now() });
}
