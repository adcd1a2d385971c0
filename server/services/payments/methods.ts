// Lists the payment methods that a merchant can use now.
import { CUSTOMER_FIELDS, type CustomerField } from "@/server/domain/payment-intent";
import { PAYMENT_METHODS, type PaymentMethod } from "@/server/domain/payment-methods";
import type { RoutingSubject } from "@/server/domain/routing";
import type { Scope } from "@/server/domain/scope";
import { gatewayByName } from "@/server/psp/registry";
import { merchantSettings } from "../merchants/settings";
import { providersFor } from "../routing/choose";

/** A method that the merchant can use now. */
export interface AvailableMethod {
  readonly method: PaymentMethod;
  /** The members of `customer` that a provider which can receive the payment demands. */
  readonly requiredCustomerFields: readonly CustomerField[];
}

/** Returns the catalog's methods whose currency is enabled for the merchant and which a provider offers. */
export async function listPaymentMethods(scope: Scope): Promise<AvailableMethod[]> {
  const { currencies } = await merchantSettings(scope.merchantId);
  return PAYMENT_METHODS.filter(({ currency }) => currencies.has(currency)).flatMap((method) => {
    const names = providersFor(paymentSubject(method, scope));
    return names.length === 0 ? [] : [{ method, requiredCustomerFields: requiredFieldsOf(method, names) }];
  });
}

/**
 * Returns the members of `customer` that any of the providers demands for the method: whichever receives the payment, first or
 * by failover, then has them.
 */
export function requiredFieldsOf(method: PaymentMethod, providers: readonly string[]): CustomerField[] {
  const required = new Set(providers.flatMap((name) => gatewayByName(name)?.requiredCustomerFields?.(method) ?? []));
  return CUSTOMER_FIELDS.filter((field) => required.has(field));
}

/** Returns the routing subject of a payment by the method. */
export function paymentSubject(
  { code, country, currency }: PaymentMethod,
  { environment, merchantId }: Scope,
): RoutingSubject {
  return { kind: "payment", environment, country, currency, instrument: code, merchantId };
}
