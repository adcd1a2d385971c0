// The values of filters in words; for parts that load on demand, since the names are many.

import { isIsoCurrency } from "@/server/domain/currencies";
import { findPaymentMethod } from "@/server/domain/payment-methods";
import type { Texts } from "../i18n/dashboard-texts";
import { countryName, currencyName } from "../i18n/names";

const sourcesIn = (texts: Texts): Readonly<Record<string, string>> => ({
  provider_gateway: texts("lists.providerGateway"),
  bank_transfer: texts("lists.bankTransfer"),
  manual: texts("lists.manual"),
});

function methodName({ language }: Texts, code: string): string {
  const method = findPaymentMethod(code);
  return method ? `${method.name}, ${countryName(language, method.country)}` : code;
}

const NAMES: Readonly<Record<string, (texts: Texts, value: string) => string>> = {
  country: ({ language }, code) => countryName(language, code),
  currency: ({ language }, code) => (isIsoCurrency(code) ? `${code}, ${currencyName(language, code)}` : code),
  payment_method: methodName,
  source_type: (texts, source) => sourcesIn(texts)[source] ?? source,
};

/** A value of a filter as people say it; unknown ones as they are. */
export function filterWords(texts: Texts, name: string, value: string): string {
  return NAMES[name]?.(texts, value) ?? value;
}
