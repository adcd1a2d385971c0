// Owns reading one payment intent (interface §4.2).
import { paymentIntents } from "@/server/db/intents/stores";
import { notFoundError } from "@/server/domain/errors";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";

/** The intent, or not_found: foreign, absent and malformed ids are one and the same. */
export async function getPaymentIntent(scope: Scope, id: string): Promise<PaymentIntent> {
  const intent = isId("paymentIntent", id) ? await paymentIntents.find(scope, id) : null;
  if (!intent) throw notFoundError();
  return intent;
}
