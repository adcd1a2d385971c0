import { updateAuthorityCoolDown } from "@/server/db/merchants";
import { LONGEST_COOL_DOWN_SECONDS } from "@/server/domain/authority";
import { notFoundError, validationError } from "@/server/domain/errors";
import { operatorAct } from "./operator";
import { forgetMerchantSettings } from "./settings";

/**
 * Sets after how many seconds authority that a member gives counts in live, from now on: 0 to 30 days. Only the operator
 * may: a member could shorten the time in which others notice what they do. Throws validation_failed, and not_found for an
 * unknown merchant.
 */
export async function setAuthorityCoolDown(merchantId: string, seconds: number): Promise<void> {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > LONGEST_COOL_DOWN_SECONDS)
    throw validationError("cool_down", "must be 0 seconds to 30 days");
  if (!(await updateAuthorityCoolDown(merchantId, seconds, operatorAct()))) throw notFoundError();
  forgetMerchantSettings(merchantId);
}
