import { revokeApiKeyOf } from "@/server/db/api-keys";
import { actOf } from "@/server/db/audit/record";
import { notFoundError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import { forgetApiKey } from "./authenticate";

/**
 * Revokes a key of the scope: in this process at once, in all others within a second. Returns the time of its first
 * revocation. Throws not_found.
 */
export async function revokeApiKey(context: CallContext, id: string): Promise<Date> {
  const key = isId("apiKey", id) ? await revokeApiKeyOf(context.scope, id, actOf(context)) : null;
  if (!key?.revokedAt) throw notFoundError();
  forgetApiKey(key.publicKey);
  return key.revokedAt;
}
