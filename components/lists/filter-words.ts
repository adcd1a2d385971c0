// The values of filters in words; for parts that load on demand, since the names are many.
import { isIsoCurrency } from "@/server/domain/currencies";
import { findPaymentMethod } from "@/server/domain/payment-methods";

const REGIONS = new Intl.DisplayNames(["en"], { type: "region" });
const CURRENCIES = new Intl.DisplayNames(["en"], { type: "currency" });

const SOURCES: Readonly<Record<string, string>> = {
  provider_gateway: "Provider gateway",
  bank_transfer: "Bank transfer",
  manual: "Manual",
};

function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (REGIONS.of(code) ?? code) : code;
}

function methodName(code: string): string {
  const method = findPaymentMethod(code);
  return method ? `${method.name}, ${countryName(method.country)}` : code;
}

const NAMES: Readonly<Record<string, (value: string) => string>> = {
  country: countryName,
  currency: (code) => (isIsoCurrency(code) ? `${code}, ${CURRENCIES.of(code)}` : code),
  payment_method: methodName,
  source_type: (source) => SOURCES[source] ?? source,
};

/** A value of a filter as people say it; unknown ones as they are. */
export function filterWords(name: string, value: string): string {
  return NAMES[name]?.(value) ?? value;
}
