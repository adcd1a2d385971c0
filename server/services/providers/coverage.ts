// What a configured provider offers.
import { ISO_CURRENCIES, TOKEN_SYMBOLS } from "@/server/domain/currencies";
import { PAYMENT_METHODS } from "@/server/domain/payment-methods";
import { ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import { gatewayByName } from "@/server/psp/registry";

export interface Coverage {
  /** Codes of what it offers in some environment. */
  readonly paymentMethods: readonly string[];
  readonly payoutCurrencies: readonly string[];
}

/** Returns what the provider offers; nothing if it is not configured. */
export function coverageOf(name: string): Coverage {
  const gateway = gatewayByName(name);
  const anywhere = (offers: (environment: Environment) => boolean | undefined) =>
    ENVIRONMENTS.some((environment) => offers(environment) === true);
  const methods = PAYMENT_METHODS.filter((method) => anywhere((at) => gateway?.offersPayment(method, at)));
  const currencies = [...ISO_CURRENCIES, ...TOKEN_SYMBOLS];
  return {
    paymentMethods: methods.map(({ code }) => code),
    payoutCurrencies: currencies.filter((code) => anywhere((at) => gateway?.offersPayout(code, at))),
  };
}
