// Presents a payment intent on the wire (interface §2.1).

import { formatInstant } from "@/server/contract/instants";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PaymentNextAction } from "@/server/domain/next-action";
import type { ShownPayment } from "@/server/domain/shown-intents";

export function presentPaymentIntent(intent: ShownPayment): PaymentIntentResource {
  return {
    object: "payment_intent",
    id: intent.id,
    amount: intent.amount.toString(),
    currency: intent.currency,
    country: intent.country,
    environment: intent.environment,
    status: intent.status,
    merchant_reference: intent.merchantReference,
    payment_method: intent.paymentMethod,
    ...(intent.description === null ? {} : { description: intent.description }),
    ...(intent.returnUrl === null ? {} : { return_url: intent.returnUrl }),
    next_action: intent.nextAction && presentNextAction(intent.nextAction),
    failure_code: intent.failure?.code ?? null,
    failure_message: intent.failure?.message ?? null,
    created_at: formatInstant(intent.createdAt),
    updated_at: formatInstant(intent.updatedAt),
  };
}

/** Member by member in the documented order: the database does not preserve the order of members. */
function presentNextAction(action: PaymentNextAction): NonNullable<PaymentIntentResource["next_action"]> {
  switch (action.type) {
    case "redirect_to_url":
      return { type: action.type, url: action.url, expires_at: action.expires_at };
    case "display_qr_code":
      return {
        type: action.type,
        data: action.data,
        image_url_png: action.image_url_png,
        image_url_svg: action.image_url_svg,
        hosted_instructions_url: action.hosted_instructions_url,
        expires_at: action.expires_at,
      };
    case "display_bank_transfer_instructions":
      return {
        type: action.type,
        amount: action.amount,
        currency: action.currency,
        reference: action.reference,
        financial_addresses: action.financial_addresses.map((address) => ({
          network: address.network,
          bank_name: address.bank_name,
          bank_code: address.bank_code,
          account_number: address.account_number,
          account_holder_name: address.account_holder_name,
        })),
        hosted_instructions_url: action.hosted_instructions_url,
        expires_at: action.expires_at,
      };
  }
}
