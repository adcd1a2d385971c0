// A merchant's settings as requests see them: cached for under a second, since nearly every request reads them.
import { findMerchant, type Merchant } from "@/server/db/merchants";
import { notFoundError } from "@/server/domain/errors";
import { createShortCache } from "@/server/platform/short-cache";

const settings = createShortCache<Merchant | null>("merchant-settings");

/** The merchant of an authenticated scope; a change is seen within a second on every process. */
export async function merchantSettings(merchantId: string): Promise<Merchant> {
  const merchant = await settings.get(merchantId, () => findMerchant(merchantId));
  if (!merchant) throw notFoundError();
  return merchant;
}

/** Makes this process read the merchant afresh. */
export function forgetMerchantSettings(merchantId: string): void {
  settings.forget(merchantId);
}
