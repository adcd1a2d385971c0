// Rolls API keys: a new pair replaces another, which stays valid for a grace period.

import { hasApiKey, replaceApiKey } from "@/server/db/api-keys";
import { actOf } from "@/server/db/audit/record";
import { keyEnd, LONGEST_GRACE_SECONDS } from "@/server/domain/api-key";
import { notFoundError, type ServiceError, validationError } from "@/server/domain/errors";
import type { CallContext, Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import { forgetApiKey } from "./authenticate";
import { type CreatedKey, newKeyPair } from "./new-key";

export interface RollKey {
  readonly id: string;
  /** Grace period of the former key, in whole seconds: 0 to a week. */
  readonly graceSeconds: number;
}

export interface RolledKey extends CreatedKey {
  readonly name: string;
  readonly replaced: { readonly id: string; readonly publicKey: string; readonly expiresAt: Date };
}

/**
 * Creates a key with the name and the limits of another one, which ends after its grace period. The expiry is one of
 * these limits. Idempotency keys belong to one pair: a retry under the new one is a new request. Throws not_found, and
 * validation_failed for a key that has ended or is being replaced.
 */
export async function rollApiKey(context: CallContext, { id, graceSeconds }: RollKey): Promise<RolledKey> {
  const { scope } = context;
  if (!Number.isInteger(graceSeconds) || graceSeconds < 0 || graceSeconds > LONGEST_GRACE_SECONDS)
    throw validationError("grace", "must be from 0 seconds to 7 days");
  if (!isId("apiKey", id)) throw notFoundError();
  const act = actOf(context);
  const expiresAt = new Date(act.at.getTime() + graceSeconds * 1_000);
  const { kept, created } = newKeyPair(scope.environment);
  const old = await replaceApiKey({ id, expiresAt }, { ...kept, ...scope }, act);
  if (!old) throw await explainRefusal(scope, id);
  forgetApiKey(old.publicKey);
  const { name, publicKey, validUntil } = old;
  const end = keyEnd({ expiresAt, validUntil }) ?? expiresAt;
  return { ...created, name, replaced: { id, publicKey, expiresAt: end } };
}

async function explainRefusal(scope: Scope, id: string): Promise<ServiceError> {
  if (!(await hasApiKey(scope, id))) return notFoundError();
  return validationError("key", "has ended or was already replaced; create a new key");
}
