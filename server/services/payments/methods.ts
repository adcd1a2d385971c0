// Lists the payment methods that a merchant can use now.
import { PAYMENT_METHODS, type PaymentMethod } from "@/server/domain/payment-methods";
import type { RoutingSubject } from "@/server/domain/routing";
import type { Scope } from "@/server/domain/scope";
import { merchantSettings } from "../merchants/settings";
import { isOffered } from "../routing/choose";

/** Returns the catalog's methods whose currency is enabled for the merchant and which a provider offers. */
export async function listPaymentMethods(scope: Scope): Promise<PaymentMethod[]> {
  const { currencies } = await merchantSettings(scope.merchantId);
  return PAYMENT_METHODS.filter(
    (method) => currencies.has(method.currency) && isOffered(paymentSubject(method, scope)),
  );
}

/** Returns the routing subject of a payment by the method. */
export function paymentSubject(
  { code, country, currency }: PaymentMethod,
  { environment, merchantId }: Scope,
): RoutingSubject {
  return { kind: "payment", environment, country, currency, instrument: code, merchantId };
}
