import type { PaymentNextAction } from "@/server/domain/next-action";
import type { Customer, PaymentIntent } from "@/server/domain/payment-intent";
import type { NextActionType } from "@/server/domain/payment-methods";
import type { PaymentStatus } from "@/server/domain/payment-transitions";
import { onlyProvider, type RoutingDecision } from "@/server/domain/routing";
import { type CoreRow, coreFromRow, coreToRow, type RowMapping } from "./row";

interface PaymentRow extends CoreRow {
  amount: string;
  currency: string;
  country: string;
  merchant_reference: string;
  payment_method: string;
  customer: Customer | null;
  provider: string;
  routing: RoutingDecision | null;
  next_action_type: NextActionType;
  next_action: PaymentNextAction | null;
  expires_at: Date;
  payer_acted_at: Date | null;
}

export const paymentMapping: RowMapping<PaymentIntent, PaymentRow> = {
  table: "payment_intent",
  fixedColumns: [
    "amount",
    "currency",
    "country",
    "merchant_reference",
    "payment_method",
    "customer",
    "next_action_type",
    "expires_at",
  ],
  personalColumns: ["customer"],
  rotatingColumns: [],
  changingColumns: ["provider", "routing", "next_action", "payer_acted_at"],
  numericColumns: ["amount"],
  filterColumns: { currency: "currency", payment_method: "payment_method" },
  audited: ({ provider }) => ({ provider }),
  toRow: (intent) => ({
    amount: intent.amount.toString(),
    currency: intent.currency,
    country: intent.country,
    merchant_reference: intent.merchantReference,
    payment_method: intent.paymentMethod,
    customer: intent.customer,
    provider: intent.provider,
    routing: intent.routing,
    next_action_type: intent.nextActionType,
    next_action: intent.nextAction,
    expires_at: intent.expiresAt,
    payer_acted_at: intent.payerActedAt,
    ...coreToRow(intent),
  }),
  fromRow: (row) => ({
    status: row.status as PaymentStatus,
    amount: BigInt(row.amount),
    currency: row.currency,
    country: row.country,
    merchantReference: row.merchant_reference,
    paymentMethod: row.payment_method,
    customer: row.customer,
    provider: row.provider,
    routing: row.routing ?? onlyProvider(row.provider),
    nextActionType: row.next_action_type,
    nextAction: row.next_action,
    expiresAt: row.expires_at,
    payerActedAt: row.payer_acted_at,
    ...coreFromRow(row),
  }),
};
