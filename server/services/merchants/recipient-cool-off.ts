import { updateRecipientCoolOff } from "@/server/db/merchants";
import { notFoundError, validationError } from "@/server/domain/errors";
import { LONGEST_COOL_OFF_SECONDS } from "@/server/domain/payout-recipient";
import type { Scope } from "@/server/domain/scope";
import { operatorAct } from "./operator";
import { forgetMerchantSettings } from "./settings";

/**
 * Sets after how many seconds recipients that are saved from now on can be paid: 0 to 30 days. Only the operator may: a
 * member could shorten the time in which others notice a new recipient. Throws validation_failed, and not_found for an
 * unknown merchant.
 */
export async function setRecipientCoolOff(scope: Scope, seconds: number): Promise<void> {
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > LONGEST_COOL_OFF_SECONDS)
    throw validationError("cool_off", "must be 0 seconds to 30 days");
  if (!(await updateRecipientCoolOff(scope, seconds, operatorAct()))) throw notFoundError();
  forgetMerchantSettings(scope.merchantId);
}
