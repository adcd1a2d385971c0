import { validationError } from "@/server/domain/errors";

/** Throws validation_failed, naming the field, if the currency is not enabled for the merchant (interface §4.4). */
export function requireEnabledCurrency(
  merchant: { readonly currencies: ReadonlySet<string> },
  field: string,
  currency: string,
): void {
  if (!merchant.currencies.has(currency)) throw validationError(field, "is not enabled for this merchant");
}
