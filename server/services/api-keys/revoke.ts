import { revokeApiKeyOf } from "@/server/db/api-keys";
import { actOf } from "@/server/db/audit/record";
import { notFoundError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";
import { forgetApiKey } from "./authenticate";

/**
 * Revokes a key of the scope from now on, here at once, on every process within a second; gives since when, which is the
 * first time where it was revoked before. Throws not_found.
 */
export async function revokeApiKey(context: CallContext, id: string): Promise<Date> {
  const key = isId("apiKey", id) ? await revokeApiKeyOf(context.scope, id, actOf(context)) : null;
  if (!key?.revokedAt) throw notFoundError();
  forgetApiKey(key.publicKey);
  return key.revokedAt;
}
