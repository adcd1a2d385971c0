// The rule that a currency is usable only once it is enabled for the merchant.
import { validationError } from "@/server/domain/errors";

/** Throws validation_failed, naming the field, when the merchant does not have the currency (interface §4.4). */
export function requireEnabledCurrency(
  merchant: { readonly currencies: ReadonlySet<string> },
  field: string,
  currency: string,
): void {
  if (!merchant.currencies.has(currency)) throw validationError(field, "is not enabled for this merchant");
}
