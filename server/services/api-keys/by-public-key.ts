import { findApiKeyAcrossMerchants } from "@/server/db/api-keys";
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
