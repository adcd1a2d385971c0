// Creates API keys (interface §5).

import { insertApiKey } from "@/server/db/api-keys";
import { actOf } from "@/server/db/audit/record";
import { type KeyLimits, NO_LIMITS } from "@/server/domain/api-key";
import type { CallContext } from "@/server/domain/scope";
import { requireMerchant } from "../merchants/require";
import { requireValidLimits } from "./limits";
import { type CreatedKey, newKeyPair } from "./new-key";

/**
 * Creates a key of the scope, valid at once and within its limits for life. Throws not_found for an unknown merchant, and
 * validation_failed for invalid limits.
 */
export async function createApiKey(
  context: CallContext,
  name: string,
  limits: KeyLimits = NO_LIMITS,
): Promise<CreatedKey> {
  const { merchantId, environment } = context.scope;
  const act = actOf(context);
  requireValidLimits(limits, act.at);
  await requireMerchant(merchantId);
  const { kept, created } = newKeyPair(environment);
  await insertApiKey({ ...kept, merchantId, environment, name, ...limits }, act);
  return created;
}
