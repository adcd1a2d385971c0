// The body of a payment's creation. It depends only on the payment, so that Xendit finds a repeat equal to its first call.
import type { PaymentRequest } from "../gateway";
import { PAYMENT_ROWS } from "./tables";
import { toXenditAmount } from "./units";

/** The member of metadata by which a webhook is recognized. */
export const REFERENCE = "sluice_reference";

/** Returns the body, or why nothing can be sent. */
export function paymentBody(request: PaymentRequest, payerName: string | null): object | string {
  const row = PAYMENT_ROWS[request.method.code];
  if (row?.currency !== request.currency) return "Xendit has no channel for the method";
  const customer_name = request.customer?.name ?? payerName;
  const isAccount = row.collection.type === "VIRTUAL_ACCOUNT";
  if (isAccount && !customer_name) return "Xendit demands the payer's name";
  const amount = toXenditAmount(request.amount, request.currency);
  if (amount === null) return "Xendit cannot express the sum";
  const expires_at = request.expiresAt.toISOString();
  const { type } = row.collection;
  const channel = (channel_properties: object) => ({ channel_code: row.channel, channel_properties });
  const urls = { success_return_url: request.hostedUrl, failure_return_url: request.hostedUrl };
  const instruments = {
    QR_CODE: { qr_code: channel({ expires_at }) },
    VIRTUAL_ACCOUNT: { virtual_account: channel({ customer_name, expires_at }) },
    EWALLET: { ewallet: channel(urls) },
  };
  return {
    reference_id: request.reference,
    amount,
    currency: request.currency,
    payment_method: { type, reusability: "ONE_TIME_USE", ...instruments[type] },
    metadata: { [REFERENCE]: request.reference, sluice_merchant: request.merchantId },
  };
}
