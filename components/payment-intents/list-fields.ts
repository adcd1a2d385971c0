import type { PaymentStatus } from "@/server/domain/payment-transitions";
import { type FilterField, type Filters, filterInput, SHARED_FIELDS } from "../lists/filters";

export const PAYMENT_FIELDS: readonly FilterField[] = [
  ...SHARED_FIELDS,
  { name: "payment_method", labelKey: "payments.paymentMethod" },
];

/** The filters as input of the procedures. */
export function paymentInput(filters: Filters) {
  return filterInput<PaymentStatus>(filters);
}
