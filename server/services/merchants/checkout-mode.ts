import type { Act } from "@/server/db/audit/record";
import { updateCheckoutMode } from "@/server/db/merchants";
import { notFoundError } from "@/server/domain/errors";
import type { CheckoutMode } from "@/server/domain/payment-intent";
import { operatorAct } from "./operator";
import { forgetMerchantSettings } from "./settings";

/**
 * Sets how customers are shown new payments: at once in this process, within a second in others. Existing payments do
 * not change. Throws not_found for an unknown merchant.
 */
export async function setCheckoutMode(merchantId: string, mode: CheckoutMode, act: Act = operatorAct()): Promise<void> {
  if (!(await updateCheckoutMode(merchantId, mode, act))) throw notFoundError();
  forgetMerchantSettings(merchantId);
}
