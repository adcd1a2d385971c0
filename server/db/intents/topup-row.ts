import type { FeeMode } from "@/server/domain/fx";
import type { TopupNextAction } from "@/server/domain/next-action";
import { onlyProvider, type RoutingDecision } from "@/server/domain/routing";
import type { SourceType, TopupIntent } from "@/server/domain/topup-intent";
import type { TopupPolicy } from "@/server/domain/topup-terms";
import type { TopupTotals } from "@/server/domain/topup-totals";
import type { TopupStatus } from "@/server/domain/topup-transitions";
import { type CoreRow, coreFromRow, coreToRow, type RowMapping } from "./row";

interface TopupRow extends CoreRow {
  country: string;
  merchant_reference: string | null;
  destination_amount: string;
  destination_currency: string;
  credited_amount: string;
  rate: string;
  spread_amount: string;
  source_type: SourceType;
  provider: string;
  routing: RoutingDecision | null;
  network: string;
  source_amount: string;
  source_currency: string;
  fee_amount: string;
  fee_mode: FeeMode;
  overpayment: TopupPolicy;
  underpayment: TopupPolicy;
  late_payment: TopupPolicy;
  received_amount: string;
  seen_amount: string;
  reported_amount: string | null;
  next_action: TopupNextAction | null;
  expires_at: Date;
}

/**
 * A version before `seen_amount` leaves it below `received_amount`, and in `processing` it stored as received what was
 * merely seen.
 */
function totalsOf({ status, received_amount, seen_amount, reported_amount }: TopupRow): TopupTotals {
  const [received, seen] = [BigInt(received_amount), BigInt(seen_amount)];
  const isFormer = seen < received;
  const receivedAmount = isFormer && status === "processing" ? 0n : received;
  const reportedAmount = reported_amount === null ? receivedAmount : BigInt(reported_amount);
  return { seenAmount: isFormer ? received : seen, receivedAmount, reportedAmount };
}

export const topupMapping: RowMapping<TopupIntent, TopupRow> = {
  table: "topup_intent",
  fixedColumns: [
    "country",
    "merchant_reference",
    "destination_amount",
    "destination_currency",
    "rate",
    "spread_amount",
    "source_type",
    "provider",
    "routing",
    "network",
    "source_amount",
    "source_currency",
    "fee_amount",
    "fee_mode",
    "overpayment",
    "underpayment",
    "late_payment",
    "expires_at",
  ],
  personalColumns: [],
  rotatingColumns: [],
  changingColumns: ["credited_amount", "received_amount", "seen_amount", "reported_amount", "next_action"],
  numericColumns: [
    "destination_amount",
    "credited_amount",
    "rate",
    "spread_amount",
    "source_amount",
    "fee_amount",
    "received_amount",
    "seen_amount",
    "reported_amount",
  ],
  filterColumns: { currency: "destination_currency", source_type: "source_type" },
  audited: ({ creditedAmount, receivedAmount, seenAmount, reportedAmount }) => ({
    credited_amount: creditedAmount.toString(),
    received_amount: receivedAmount.toString(),
    seen_amount: seenAmount.toString(),
    reported_amount: reportedAmount.toString(),
  }),
  toRow: (intent) => ({
    country: intent.country,
    merchant_reference: intent.merchantReference,
    destination_amount: intent.destinationAmount.toString(),
    destination_currency: intent.destinationCurrency,
    credited_amount: intent.creditedAmount.toString(),
    rate: intent.rate,
    spread_amount: intent.spreadAmount.toString(),
    source_type: intent.sourceType,
    provider: intent.provider,
    routing: intent.routing,
    network: intent.network,
    source_amount: intent.sourceAmount.toString(),
    source_currency: intent.sourceCurrency,
    fee_amount: intent.feeAmount.toString(),
    fee_mode: intent.feeMode,
    overpayment: intent.policies.overpayment,
    underpayment: intent.policies.underpayment,
    late_payment: intent.policies.latePayment,
    received_amount: intent.receivedAmount.toString(),
    seen_amount: intent.seenAmount.toString(),
    reported_amount: intent.reportedAmount.toString(),
    next_action: intent.nextAction,
    expires_at: intent.expiresAt,
    ...coreToRow(intent),
  }),
  fromRow: (row) => ({
    status: row.status as TopupStatus,
    country: row.country,
    merchantReference: row.merchant_reference,
    destinationAmount: BigInt(row.destination_amount),
    destinationCurrency: row.destination_currency,
    creditedAmount: BigInt(row.credited_amount),
    rate: row.rate,
    spreadAmount: BigInt(row.spread_amount),
    sourceType: row.source_type,
    provider: row.provider,
    routing: row.routing ?? onlyProvider(row.provider),
    network: row.network,
    sourceAmount: BigInt(row.source_amount),
    sourceCurrency: row.source_currency,
    feeAmount: BigInt(row.fee_amount),
    feeMode: row.fee_mode,
    policies: { overpayment: row.overpayment, underpayment: row.underpayment, latePayment: row.late_payment },
    ...totalsOf(row),
    nextAction: row.next_action,
    expiresAt: row.expires_at,
    ...coreFromRow(row),
  }),
};
