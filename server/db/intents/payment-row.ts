import type { PaymentIntent } from "@/server/domain/payment-intent";
import type { PaymentStatus } from "@/server/domain/payment-transitions";
import { onlyProvider } from "@/server/domain/routing";
import { changing, coreFromRow, coreToRow, fixed, mappingOf, numeric, personal, type RowOf } from "./row";

function toRow(intent: PaymentIntent) {
  return {
    amount: intent.amount.toString(),
    currency: intent.currency,
    country: intent.country,
    merchant_reference: intent.merchantReference,
    payment_method: intent.paymentMethod,
    customer: intent.customer,
    description: intent.description,
    return_url: intent.returnUrl,
    provider: intent.provider,
    routing: intent.routing,
    next_action_type: intent.nextActionType,
    next_action: intent.nextAction,
    expires_at: intent.expiresAt,
    payer_acted_at: intent.payerActedAt,
    ...coreToRow(intent),
  };
}

export type PaymentRow = RowOf<typeof toRow>;

export const paymentMapping = mappingOf<PaymentIntent, PaymentRow>({
  table: "payment_intent",
  awaitsPayers: true,
  columns: {
    amount: numeric(fixed),
    currency: fixed,
    country: fixed,
    merchant_reference: fixed,
    payment_method: fixed,
    customer: personal,
    description: fixed,
    return_url: fixed,
    next_action_type: fixed,
    expires_at: fixed,
    provider: changing,
    routing: changing,
    next_action: changing,
    payer_acted_at: changing,
  },
  filterColumns: { currency: "currency", payment_method: "payment_method" },
  amountColumn: "amount",
  audited: ({ provider }) => ({ provider }),
  toRow,
  fromRow: (row) => ({
    status: row.status as PaymentStatus,
    amount: BigInt(row.amount),
    currency: row.currency,
    country: row.country,
    merchantReference: row.merchant_reference,
    paymentMethod: row.payment_method,
    customer: row.customer,
    description: row.description,
    returnUrl: row.return_url,
    provider: row.provider,
    routing: row.routing ?? onlyProvider(row.provider),
    nextActionType: row.next_action_type,
    nextAction: row.next_action,
    expiresAt: row.expires_at,
    payerActedAt: row.payer_acted_at,
    ...coreFromRow(row),
  }),
});
