import { randomUUID } from "node:crypto";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { Api } from "../support/api";

const METHODS = {
  BR_PIX: { currency: "BRL", country: "BR" },
  BR_BOLETO: { currency: "BRL", country: "BR" },
  MX_SPEI: { currency: "MXN", country: "MX" },
} as const;

export const CUSTOMER = { name: "Marisa Quintanilha", email: "marisa@customer.example", reference: "cust-77031" };

/** Creates a payment that awaits its payer, with customer data that the payer's page must not show. */
export async function createPayment(
  api: Api,
  method: keyof typeof METHODS,
  amount = "123450",
  more: Readonly<Record<string, unknown>> = {},
): Promise<PaymentIntentResource> {
  const { body, status } = await api.post("/payment_intents", {
    ...METHODS[method],
    amount,
    payment_method: method,
    merchant_reference: randomUUID(),
    customer: CUSTOMER,
    ...more,
  });
  if (status !== 201) throw new Error(`the payment was answered with ${status}`);
  return body as PaymentIntentResource;
}

/** Reads the payment over REST. */
export async function readPayment(api: Api, id: string): Promise<PaymentIntentResource> {
  return (await api.get(`/payment_intents/${id}`)).body as PaymentIntentResource;
}
