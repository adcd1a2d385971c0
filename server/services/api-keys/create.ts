// Creates API keys (interface §5).

import { insertApiKey } from "@/server/db/api-keys";
import { actOf } from "@/server/db/audit/record";
import { findMerchant } from "@/server/db/merchants";
import { notFoundError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";
import { type CreatedKey, newKeyPair } from "./new-key";

/** Creates a key of the scope, valid at once. Throws not_found for an unknown merchant. */
export async function createApiKey(context: CallContext, name: string): Promise<CreatedKey> {
  const { merchantId, environment } = context.scope;
  if (!(await findMerchant(merchantId))) throw notFoundError();
  const { kept, created } = newKeyPair(environment);
  await insertApiKey({ ...kept, merchantId, environment, name }, actOf(context));
  return created;
}
