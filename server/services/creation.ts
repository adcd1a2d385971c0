// Owns what creating has in common for every kind of intent: resuming after a crash, winning or losing the reference.
import type { Verdict } from "@/server/db/commit/commit";
import type { IntentStore } from "@/server/db/intents/store";
import { notFoundError, ServiceError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { type KeyHold, KeyTaken } from "./idempotency/once";

/** The object that an earlier execution under the same key left behind when it died, or null. */
export async function findResumed<Intent>(
  store: IntentStore<Intent>,
  scope: Scope,
  hold: KeyHold,
): Promise<Intent | null> {
  return hold.resumedObjectId ? store.find(scope, hold.resumedObjectId) : null;
}

/** Notes what a creating commit did about the key; throws KeyTaken when another request has it. */
export function noteClaim(hold: KeyHold, verdict: Verdict): void {
  if (verdict === "claim_lost") throw new KeyTaken();
  if (verdict !== "insufficient_balance") hold.held = true;
}

/**
 * The original of a repeated merchant reference, in its present state (interface §4.1 rule 1). Throws
 * duplicate_merchant_reference naming the first differing field, never its value.
 */
export async function findOriginal<Intent>(
  store: IntentStore<Intent>,
  scope: Scope,
  merchantReference: string | null,
  differingField: (original: Intent) => string | null,
): Promise<Intent> {
  const original = merchantReference === null ? null : await store.findByReference(scope, merchantReference);
  if (!original) throw notFoundError();
  const field = differingField(original);
  if (field) {
    throw new ServiceError("duplicate_merchant_reference", `merchant_reference was used with a different ${field}.`);
  }
  return original;
}
