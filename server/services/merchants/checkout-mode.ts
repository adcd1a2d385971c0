// Setting how a merchant's customers are shown payments.
import { updateCheckoutMode } from "@/server/db/merchants";
import { notFoundError } from "@/server/domain/errors";
import type { CheckoutMode } from "@/server/domain/payment-intent";
import { operatorAct } from "./operator";
import { forgetMerchantSettings } from "./settings";

/**
 * Sets the mode of payments created from now on: here at once, on other processes within a second. Payments that exist
 * keep theirs. Throws not_found for an unknown merchant.
 */
export async function setCheckoutMode(merchantId: string, mode: CheckoutMode): Promise<void> {
  if (!(await updateCheckoutMode(merchantId, mode, operatorAct()))) throw notFoundError();
  forgetMerchantSettings(merchantId);
}
