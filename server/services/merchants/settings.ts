// A merchant's settings, cached for under a second because nearly every request reads them.
import { findMerchant, type Merchant } from "@/server/db/merchants";
import { notFoundError } from "@/server/domain/errors";
import { createShortCache } from "@/server/platform/short-cache";

const settings = createShortCache<Merchant | null>("merchant-settings");

/** Returns the merchant of an authenticated scope. A change reaches every process within a second. */
export async function merchantSettings(merchantId: string): Promise<Merchant> {
  const merchant = await settings.get(merchantId, () => findMerchant(merchantId));
  if (!merchant) throw notFoundError();
  return merchant;
}

/** Drops the merchant from this process's cache. */
export function forgetMerchantSettings(merchantId: string): void {
  settings.forget(merchantId);
}
