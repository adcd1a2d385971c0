import { findApiKeyAcrossMerchants, hasApiKey } from "@/server/db/api-keys";
import { notFoundError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";

/** Returns the key with this public key and its scope. Throws not_found. */
export async function requireKeyByPublicKey(
  publicKey: string,
): Promise<{ readonly id: string; readonly scope: Scope }> {
  const key = await findApiKeyAcrossMerchants(publicKey);
  if (!key) throw notFoundError();
  const { id, merchantId, environment } = key;
  return { id, scope: { merchantId, environment } };
}

/**
 * Returns the id of the scope's key with this public key or id, ended keys included. Throws not_found, also for a key of
 * another scope.
 */
export async function requireKeyOfScope(scope: Scope, publicKeyOrId: string): Promise<string> {
  const isPublicKey = publicKeyOrId.startsWith("pk_");
  const id = isPublicKey ? (await requireKeyByPublicKey(publicKeyOrId)).id : publicKeyOrId;
  if (!(await hasApiKey(scope, id))) throw notFoundError();
  return id;
}
