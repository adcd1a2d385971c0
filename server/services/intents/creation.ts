// The steps that creations of all kinds share: resuming after a crash, and finding the merchant reference taken.
import type { Verdict } from "@/server/db/commit/commit";
import type { IntentStore } from "@/server/db/intents/store";
import { notFoundError, ServiceError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import type { Completed } from "../idempotency/completion";
import { type IdempotencyLease, KeyConflict } from "../idempotency/once";

/** Returns the intent that a crashed execution under the same key created, or null. */
export async function findResumed<Intent>(
  store: IntentStore<Intent>,
  scope: Scope,
  lease: IdempotencyLease,
): Promise<Intent | null> {
  return lease.resumedObjectId ? store.find(scope, lease.resumedObjectId) : null;
}

/** Notes on the lease that the creating commit claimed the key. Throws KeyConflict if another request holds it. */
export function noteClaim(lease: IdempotencyLease, verdict: Verdict): void {
  if (verdict === "claim_lost") throw new KeyConflict();
  if (verdict === "committed" || verdict === "reference_taken") lease.acquired = true;
}

/** How to find the original of a creation, and how to compare the two. */
export interface Repeat<Intent> {
  readonly store: IntentStore<Intent>;
  readonly scope: Scope;
  readonly merchantReference: string | null;
  /** The first field of the request that differs economically from the original, or null. */
  differingField(original: Intent): string | null;
}

/**
 * Returns the original that a creation repeats, as it is now (interface §4.1 rule 1), or null if the reference is new.
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
 * Returns `created` with the new intent, or `repeated` with the original if `create` returned null because the merchant
 * reference is taken. A repeat succeeds even if the catalogue, currencies, bounds or providers have changed since:
 * validation_failed from `create` is thrown only if the reference is new. A valid new creation costs no extra lookup.
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
