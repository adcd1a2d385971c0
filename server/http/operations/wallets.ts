// The REST operations on wallets and payment methods, both extensions.
import { type PaymentMethodList, paymentMethodList, type WalletList, walletList } from "@/server/contract/wallets";
import { type AvailableMethod, listPaymentMethods } from "@/server/services/payments/methods";
import { getWallets } from "@/server/services/wallets";
import { type Operation, read } from "../operation";

function presentMethod({ method, requiredCustomerFields }: AvailableMethod): PaymentMethodList["data"][number] {
  return {
    object: "payment_method",
    code: method.code,
    name: method.name,
    country: method.country,
    currency: method.currency,
    next_action_type: method.nextActionType,
    minimum_amount: method.minimumAmount.toString(),
    maximum_amount: method.maximumAmount.toString(),
    expires_in_seconds: method.expiresInSeconds,
    required_customer_fields: [...requiredCustomerFields],
  };
}

export const walletOperations: readonly Operation[] = [
  read({
    id: "listWallets",
    keyScope: "wallets:read",
    path: "/wallets",
    tag: "Wallets",
    summary: "List balances per enabled currency",
    extension: true,
    query: null,
    answers: { 200: { schema: walletList, meaning: "All wallets of the key's environment." } },
    errors: [],
    run: async ({ context: { scope } }): Promise<WalletList> => {
      const balances = await getWallets(scope);
      return {
        data: balances.map(({ currency, available, held }) => ({
          object: "wallet",
          environment: scope.environment,
          currency,
          available: available.toString(),
          held: held.toString(),
        })),
      };
    },
  }),
  read({
    id: "listPaymentMethods",
    keyScope: "payment_methods:read",
    path: "/payment_methods",
    tag: "Payment intents",
    summary: "List the payment methods that are available",
    extension: true,
    query: null,
    answers: { 200: { schema: paymentMethodList, meaning: "The methods of your currencies that a provider offers." } },
    errors: [],
    run: async ({ context: { scope } }): Promise<PaymentMethodList> => ({
      data: (await listPaymentMethods(scope)).map(presentMethod),
    }),
  }),
];
