// Requires one-time codes of every member who signs in.

import { actOf } from "@/server/db/audit/record";
import { updateTotpRequiredToSignIn } from "@/server/db/merchants";
import { notFoundError } from "@/server/domain/errors";
import type { CallContext } from "@/server/domain/scope";

/**
 * Sets whether members need one-time codes to sign in, effective from their next request. The session of a member without
 * codes then has no role, and can only set them up. Throws not_found for an unknown merchant.
 */
export async function requireCodesToSignIn(context: CallContext, isRequired: boolean): Promise<void> {
  if (!(await updateTotpRequiredToSignIn(context.scope.merchantId, isRequired, actOf(context)))) throw notFoundError();
}
