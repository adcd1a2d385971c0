// A merchant's settings, cached for under a second because nearly every request reads them.
import { findMerchant, type Merchant } from "@/server/db/merchants";
import { notFoundError, validationError } from "@/server/domain/errors";
import type { Environment, Scope } from "@/server/domain/scope";
import { type Clock, now } from "@/server/platform/clock";
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

/** The clock of a merchant whose settings are already loaded. */
export function clockOf(merchant: Merchant, environment: Environment): Clock {
  if (environment === "live") return now;
  return () => new Date(now().getTime() + merchant.testClockAheadMs);
}

/**
 * The clock of a scope. If another process advances a test clock, this one follows within a second. Throws not_found for
 * an unknown merchant.
 */
export async function merchantClock({ merchantId, environment }: Scope): Promise<Clock> {
  return environment === "live" ? now : clockOf(await merchantSettings(merchantId), environment);
}

/** Throws validation_failed, naming the field, if the currency is not enabled for the merchant (interface §4.4). */
export function requireEnabledCurrency(
  merchant: { readonly currencies: ReadonlySet<string> },
  field: string,
  currency: string,
): void {
  if (!merchant.currencies.has(currency)) throw validationError(field, "is not enabled for this merchant");
}

/** The same, but accepts a currency that was removed: its wallet and its past intents are still there. */
export function requireWalletCurrency(
  { walletCurrencies }: { readonly walletCurrencies: ReadonlySet<string> },
  field: string,
  currency: string,
): void {
  requireEnabledCurrency({ currencies: walletCurrencies }, field, currency);
}
