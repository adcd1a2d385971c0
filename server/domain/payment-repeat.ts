// What makes two payments under one merchant reference the same.
import type { PaymentIntent } from "./payment-intent";

/**
 * The field in which a repeat of a merchant reference differs economically, or null when it is a simple repeat
 * (interface §4.1 rule 1, §7). The customer is not compared: contact details may be corrected between retries.
 */
export function differingPaymentField(
  original: PaymentIntent,
  repeat: Pick<PaymentIntent, "amount" | "currency" | "country" | "paymentMethod">,
): string | null {
  if (original.amount !== repeat.amount) return "amount";
  if (original.currency !== repeat.currency) return "currency";
  if (original.country !== repeat.country) return "country";
  return original.paymentMethod === repeat.paymentMethod ? null : "payment_method";
}
