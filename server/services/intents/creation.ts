// What creating has in common for every kind of intent: resuming after a crash, winning or losing the reference.
import type { Verdict } from "@/server/db/commit/commit";
import type { IntentStore } from "@/server/db/intents/store";
import { notFoundError, ServiceError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import type { Completed } from "../idempotency/completion";
import { type IdempotencyLease, KeyConflict } from "../idempotency/once";

/** The object that an earlier execution under the same key left behind when it died, or null. */
export async function findResumed<Intent>(
  store: IntentStore<Intent>,
  scope: Scope,
  lease: IdempotencyLease,
): Promise<Intent | null> {
  return lease.resumedObjectId ? store.find(scope, lease.resumedObjectId) : null;
}

/** Notes what a creating commit did about the key; throws KeyConflict when another request has it. */
export function noteClaim(lease: IdempotencyLease, verdict: Verdict): void {
  if (verdict === "claim_lost") throw new KeyConflict();
  if (verdict !== "insufficient_balance") lease.acquired = true;
}

/** What a creation repeats when its merchant reference is known. */
export interface Repeat<Intent> {
  readonly store: IntentStore<Intent>;
  readonly scope: Scope;
  readonly merchantReference: string | null;
  /** The field of the request in which it differs economically from the original, or null. */
  differingField(original: Intent): string | null;
}

/**
 * The original that a creation repeats, in its present state (interface §4.1 rule 1), or null when its reference is new.
 * Throws duplicate_merchant_reference naming the first differing field, never its value.
 */
export async function findOriginal<Intent>(repeat: Repeat<Intent>): Promise<Intent | null> {
  const { store, scope, merchantReference } = repeat;
  const original = merchantReference === null ? null : await store.findByReference(scope, merchantReference);
  const field = original && repeat.differingField(original);
  if (field) {
    throw new ServiceError("duplicate_merchant_reference", `merchant_reference was used with a different ${field}.`);
  }
  return original;
}

/**
 * The result of a creation: `created` with what `create` made, or `repeated` with the original where it found the merchant reference
 * taken (null). A known reference decides before everything that can change, such as the catalogue, currencies, bounds and
 * providers. So a refusal of these checks holds only for a new reference; a creation that passes them costs no lookup.
 */
export async function createOrRepeat<Intent>(
  repeat: Repeat<Intent>,
  create: () => Promise<Intent | null>,
): Promise<Completed<Intent>> {
  const refusals: ServiceError[] = [];
  const created = await create().catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.code === "validation_failed")) throw error;
    refusals.push(error);
    return null;
  });
  if (created) return { intent: created, completion: "created" };
  const original = await findOriginal(repeat);
  if (!original) throw refusals[0] ?? notFoundError();
  return { intent: original, completion: "repeated" };
}
