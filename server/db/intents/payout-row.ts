import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { PayoutStatus } from "@/server/domain/payout-transitions";
import { onlyProvider } from "@/server/domain/routing";
import { changing, coreFromRow, coreToRow, fixed, mappingOf, numeric, personal, type RowOf, rotating } from "./row";

function toRow(intent: PayoutIntent) {
  return {
    amount: intent.amount.toString(),
    currency: intent.currency,
    country: intent.country,
    merchant_reference: intent.merchantReference,
    recipient_type: intent.recipient.type,
    recipient_last4: intent.recipient.accountLast4,
    recipient_bank_code: intent.recipient.bankCode,
    recipient_holder_name: intent.recipient.holderName,
    account_sealed: intent.account.sealed,
    account_digest: intent.account.digest,
    provider: intent.provider,
    routing: intent.routing,
    approvals_required: intent.approvalsRequired,
    policy_version: intent.policyVersion,
    daily_total_below: intent.dailyTotalBelow?.toString() ?? null,
    approvals_given: intent.approvalsGiven,
    created_by_type: intent.createdBy.type,
    created_by_id: intent.createdBy.id,
    recipient_id: intent.recipientId,
    batch_id: intent.batchId,
    ...coreToRow(intent),
  };
}

type PayoutRow = RowOf<typeof toRow>;

type RecipientColumn = "recipient_type" | "recipient_last4" | "recipient_bank_code" | "recipient_holder_name";

/** Whom the payout goes to, as it may be shown. */
export function recipientFromRow(row: Pick<PayoutRow, RecipientColumn>): PayoutIntent["recipient"] {
  return {
    type: row.recipient_type,
    accountLast4: row.recipient_last4,
    bankCode: row.recipient_bank_code,
    holderName: row.recipient_holder_name,
  };
}

export const payoutMapping = mappingOf<PayoutIntent, PayoutRow>({
  table: "payout_intent",
  awaitsPayers: false,
  columns: {
    amount: numeric(fixed),
    currency: fixed,
    country: fixed,
    merchant_reference: fixed,
    recipient_type: personal,
    recipient_last4: personal,
    recipient_bank_code: personal,
    recipient_holder_name: personal,
    account_sealed: rotating,
    account_digest: personal,
    approvals_required: fixed,
    policy_version: fixed,
    daily_total_below: numeric(fixed),
    created_by_type: fixed,
    created_by_id: fixed,
    recipient_id: fixed,
    batch_id: fixed,
    provider: changing,
    routing: changing,
    approvals_given: changing,
  },
  filterColumns: { currency: "currency" },
  amountColumn: "amount",
  audited: ({ provider, approvalsGiven }) => ({ provider, approvals_given: approvalsGiven }),
  toRow,
  fromRow: (row) => ({
    status: row.status as PayoutStatus,
    amount: BigInt(row.amount),
    currency: row.currency,
    country: row.country,
    merchantReference: row.merchant_reference,
    recipient: recipientFromRow(row),
    account: { sealed: row.account_sealed, digest: row.account_digest },
    provider: row.provider,
    routing: row.routing ?? onlyProvider(row.provider),
    approvalsRequired: row.approvals_required,
    policyVersion: row.policy_version,
    dailyTotalBelow: row.daily_total_below === null ? null : BigInt(row.daily_total_below),
    approvalsGiven: row.approvals_given,
    createdBy: { type: row.created_by_type, id: row.created_by_id },
    recipientId: row.recipient_id,
    batchId: row.batch_id,
    ...coreFromRow(row),
  }),
});
