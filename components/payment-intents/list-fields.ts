// Owns what the address of the list of payments may say, and what is asked for because of it.
import type { PaymentStatus } from "@/server/domain/payment-transitions";
import { type FilterField, type Filters, filterInput, SHARED_FIELDS } from "../lists/filters";

export const PAYMENT_FIELDS: readonly FilterField[] = [
  ...SHARED_FIELDS,
  { name: "payment_method", label: "Payment method" },
];

/** The filters as the procedures take them. */
export function paymentInput(filters: Filters) {
  return filterInput<PaymentStatus>(filters);
}
