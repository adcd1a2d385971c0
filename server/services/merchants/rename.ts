import type { Act } from "@/server/db/audit/record";
import { updateMerchantName } from "@/server/db/merchants";
import { notFoundError, validationError } from "@/server/domain/errors";
import { MERCHANT_NAME_RULE, readMerchantName } from "@/server/domain/merchant-name";
import { operatorAct } from "./operator";
import { forgetMerchantSettings } from "./settings";

/**
 * Changes what payers and members read as the merchant's name: at once in this process, within a second in others. Throws
 * validation_failed, and not_found for an unknown merchant.
 */
export async function renameMerchant(merchantId: string, typed: string, act: Act = operatorAct()): Promise<string> {
  const name = readMerchantName(typed);
  if (name === null) throw validationError("name", MERCHANT_NAME_RULE);
  if (!(await updateMerchantName(merchantId, name, act))) throw notFoundError();
  forgetMerchantSettings(merchantId);
  return name;
}
