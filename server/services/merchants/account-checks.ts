import { updateChecksAccounts } from "@/server/db/merchants";
import { notFoundError } from "@/server/domain/errors";
import { operatorAct } from "./operator";
import { forgetMerchantSettings } from "./settings";

/**
 * Sets whether payouts over the API are rejected if the check digits or the bank code of their account are wrong: at once in
 * this process, within a second in others. Throws not_found for an unknown merchant.
 */
export async function setAccountChecks(merchantId: string, checksAccounts: boolean): Promise<void> {
  if (!(await updateChecksAccounts(merchantId, checksAccounts, operatorAct()))) throw notFoundError();
  forgetMerchantSettings(merchantId);
}
