// Adds and removes currencies of a merchant, which only the operator may.
import {
  enableCurrency,
  listMerchantCurrencies,
  type MerchantCurrency,
  removeCurrency as removeStored,
} from "@/server/db/merchant-currencies";
import { isKnownCurrency } from "@/server/domain/currencies";
import { notFoundError, validationError } from "@/server/domain/errors";
import { openingOf } from "./opening";
import { operatorAct } from "./operator";
import { forgetMerchantSettings, merchantSettings } from "./settings";

export type { MerchantCurrency } from "@/server/db/merchant-currencies";

/** Every currency that the merchant has or had. Throws not_found for an unknown merchant. */
export async function listCurrencies(merchantId: string): Promise<readonly MerchantCurrency[]> {
  await merchantSettings(merchantId);
  return listMerchantCurrencies(merchantId);
}

/**
 * Enables a currency in both environments. A new one gets wallets: funded in test, empty in live; one that was removed has
 * its former wallets. Throws validation_failed for an unknown or enabled currency, not_found for an unknown merchant.
 */
export async function addCurrency(merchantId: string, currency: string): Promise<void> {
  if (!isKnownCurrency(currency)) throw validationError("currency", "must be a known upper-case currency code");
  const result = await enableCurrency(merchantId, currency, openingOf(merchantId, currency), operatorAct());
  if (result === "unknown") throw notFoundError();
  if (result === "unchanged") throw validationError("currency", "is enabled already");
  forgetMerchantSettings(merchantId);
}

/**
 * Removes a currency in both environments, within a second on every process: nothing new is created in it. Intents that
 * exist are finished, and wallets stay visible. Throws validation_failed if it is not enabled.
 */
export async function removeCurrency(merchantId: string, currency: string): Promise<void> {
  await merchantSettings(merchantId);
  const result = await removeStored(merchantId, currency, operatorAct());
  if (result !== "changed") throw validationError("currency", "is not enabled for this merchant");
  forgetMerchantSettings(merchantId);
}
