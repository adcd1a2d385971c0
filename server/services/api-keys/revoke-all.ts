// Revokes every API key of a merchant in one environment.
import { revokeApiKeysOf } from "@/server/db/api-keys";
import { actOf } from "@/server/db/audit/record";
import type { CallContext } from "@/server/domain/scope";
import { requireMerchant } from "../merchants/require";
import { forgetApiKey } from "./authenticate";

/**
 * Revokes every valid key of the scope: in this process at once, in all others within a second. Returns their public
 * keys. Throws not_found for an unknown merchant.
 */
export async function revokeAllApiKeys(context: CallContext): Promise<string[]> {
  await requireMerchant(context.scope.merchantId);
  const publicKeys = await revokeApiKeysOf(context.scope, actOf(context));
  for (const publicKey of publicKeys) forgetApiKey(publicKey);
  return publicKeys;
}
