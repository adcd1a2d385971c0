// Finding a payment by its id alone, for the payer's page: the id in the page's address is all that a payer has.
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { queryAcrossMerchants } from "./client";
import { paymentMapping } from "./intents/payment-row";
import { selectList } from "./intents/row";

const BY_ID = `SELECT ${selectList(paymentMapping)} FROM payment_intent WHERE id = $1`;

/** The payment intent with that id, of any merchant; null if not found. */
export async function findPaymentAcrossMerchants(id: string): Promise<PaymentIntent | null> {
  const [row] = await queryAcrossMerchants<Parameters<typeof paymentMapping.fromRow>[0]>(BY_ID, id);
  return row ? paymentMapping.fromRow(row) : null;
}
