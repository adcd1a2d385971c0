// Pages of intents as the API shows them. They read the shown columns alone, and instants stay text.

import type { PaymentStatus } from "@/server/domain/payment-transitions";
import type { PayoutStatus } from "@/server/domain/payout-transitions";
import type { Scope } from "@/server/domain/scope";
import type { ShownPayment, ShownPayout, ShownTopup } from "@/server/domain/shown-intents";
import type { TopupStatus } from "@/server/domain/topup-transitions";
import type { IntentCore } from "@/server/domain/transition";
import { queryForWire } from "../client";
import type { PagePosition } from "../list-start";
import type { IntentFilter } from "./conditions";
import { listStatement } from "./list-statement";
import { type PaymentRow, paymentMapping } from "./payment-row";
import { payoutMapping, recipientFromRow } from "./payout-row";
import { type CoreRow, failureFromRow, type RowMapping, selectList } from "./row";
import { topupMapping } from "./topup-row";

export interface ShownList<Shown> {
  /** At most `count` intents, newest first, after the position. */
  list(scope: Scope, filter: IntentFilter, after: PagePosition | null, count: number): Promise<Shown[]>;
}

/** What the resources of all kinds show. */
const CORE = [
  "id",
  "environment",
  "status",
  "country",
  "failure_code",
  "failure_message",
  "created_at",
  "updated_at",
] as const;

/** A row with only those columns, whose instants are text. */
type Columns<Row, Name extends keyof Row> = {
  readonly [Column in Name]: Row[Column] extends Date ? string : Row[Column];
};

/** The members of all kinds; the status is narrowed by the caller. */
function coreOf(row: Columns<PaymentRow, (typeof CORE)[number]>) {
  return {
    id: row.id,
    environment: row.environment,
    country: row.country,
    failure: failureFromRow(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function createShownList<
  Intent extends IntentCore<string>,
  Row extends CoreRow,
  Name extends keyof Row & string,
  Shown,
>(
  mapping: RowMapping<Intent, Row>,
  columns: readonly Name[],
  fromRow: (row: Columns<Row, Name>) => Shown,
): ShownList<Shown> {
  const select = `SELECT ${selectList(mapping, columns)} FROM ${mapping.table} WHERE merchant_id = $1 AND environment = $2`;
  return {
    async list(scope, filter, after, count) {
      const values: unknown[] = [scope.merchantId, scope.environment];
      const parameter = (value: unknown) => `$${values.push(value)}`;
      const page = { filter, after, order: "newest_first", count } as const;
      const rows = await queryForWire<Columns<Row, Name>>(listStatement(select, mapping, page, parameter), ...values);
      return rows.map(fromRow);
    },
  };
}

export const shownPayments: ShownList<ShownPayment> = createShownList(
  paymentMapping,
  [...CORE, "merchant_reference", "amount", "currency", "payment_method", "description", "return_url", "next_action"],
  (row) => ({
    status: row.status as PaymentStatus,
    merchantReference: row.merchant_reference,
    amount: BigInt(row.amount),
    currency: row.currency,
    paymentMethod: row.payment_method,
    description: row.description,
    returnUrl: row.return_url,
    nextAction: row.next_action,
    ...coreOf(row),
  }),
);

export const shownPayouts: ShownList<ShownPayout> = createShownList(
  payoutMapping,
  [
    ...CORE,
    "merchant_reference",
    "amount",
    "currency",
    "recipient_type",
    "recipient_last4",
    "recipient_bank_code",
    "recipient_holder_name",
  ],
  (row) => ({
    status: row.status as PayoutStatus,
    merchantReference: row.merchant_reference,
    amount: BigInt(row.amount),
    currency: row.currency,
    recipient: recipientFromRow(row),
    ...coreOf(row),
  }),
);

export const shownTopups: ShownList<ShownTopup> = createShownList(
  topupMapping,
  [
    ...CORE,
    "merchant_id",
    "merchant_reference",
    "destination_amount",
    "destination_currency",
    "credited_amount",
    "rate",
    "spread_amount",
    "source_type",
    "provider",
    "source_amount",
    "source_currency",
    "fee_amount",
    "fee_mode",
    "next_action",
    "expires_at",
  ],
  (row) => ({
    status: row.status as TopupStatus,
    merchantId: row.merchant_id,
    merchantReference: row.merchant_reference,
    destinationAmount: BigInt(row.destination_amount),
    destinationCurrency: row.destination_currency,
    creditedAmount: BigInt(row.credited_amount),
    rate: row.rate,
    spreadAmount: BigInt(row.spread_amount),
    sourceType: row.source_type,
    provider: row.provider,
    sourceAmount: BigInt(row.source_amount),
    sourceCurrency: row.source_currency,
    feeAmount: BigInt(row.fee_amount),
    feeMode: row.fee_mode,
    nextAction: row.next_action,
    expiresAt: row.expires_at,
    ...coreOf(row),
  }),
);
