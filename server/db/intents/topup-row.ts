import { onlyProvider } from "@/server/domain/routing";
import type { TopupIntent } from "@/server/domain/topup-intent";
import type { TopupTotals } from "@/server/domain/topup-totals";
import type { TopupStatus } from "@/server/domain/topup-transitions";
import { changing, coreFromRow, coreToRow, fixed, mappingOf, numeric, type RowOf } from "./row";

function toRow(intent: TopupIntent) {
  return {
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
  };
}

/** Rows from before `reported_amount` have none. */
type TopupRow = Omit<RowOf<typeof toRow>, "reported_amount"> & { reported_amount: string | null };

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

export const topupMapping = mappingOf<TopupIntent, TopupRow>({
  table: "topup_intent",
  awaitsPayers: true,
  columns: {
    country: fixed,
    merchant_reference: fixed,
    destination_amount: numeric(fixed),
    destination_currency: fixed,
    rate: numeric(fixed),
    spread_amount: numeric(fixed),
    source_type: fixed,
    provider: fixed,
    routing: fixed,
    network: fixed,
    source_amount: numeric(fixed),
    source_currency: fixed,
    fee_amount: numeric(fixed),
    fee_mode: fixed,
    overpayment: fixed,
    underpayment: fixed,
    late_payment: fixed,
    expires_at: fixed,
    credited_amount: numeric(changing),
    received_amount: numeric(changing),
    seen_amount: numeric(changing),
    reported_amount: numeric(changing),
    next_action: changing,
  },
  filterColumns: { currency: "destination_currency", source_type: "source_type" },
  amountColumn: "destination_amount",
  audited: ({ creditedAmount, receivedAmount, seenAmount, reportedAmount }) => ({
    credited_amount: creditedAmount.toString(),
    received_amount: receivedAmount.toString(),
    seen_amount: seenAmount.toString(),
    reported_amount: reportedAmount.toString(),
  }),
  toRow,
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
});
