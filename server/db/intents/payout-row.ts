import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { PayoutStatus } from "@/server/domain/payout-transitions";
import { onlyProvider, type RoutingDecision } from "@/server/domain/routing";
import type { Actor } from "@/server/domain/scope";
import { type CoreRow, coreFromRow, coreToRow, type RowMapping } from "./row";

interface PayoutRow extends CoreRow {
  amount: string;
  currency: string;
  country: string;
  merchant_reference: string;
  recipient_type: "bank_account";
  recipient_last4: string;
  recipient_bank_code: string;
  recipient_holder_name: string;
  account_sealed: string;
  account_digest: string;
  provider: string;
  routing: RoutingDecision | null;
  approvals_required: number;
  policy_version: number;
  daily_total_below: string | null;
  approvals_given: number;
  created_by_type: Actor["type"];
  created_by_id: string;
}

export const payoutMapping: RowMapping<PayoutIntent, PayoutRow> = {
  table: "payout_intent",
  fixedColumns: [
    "amount",
    "currency",
    "country",
    "merchant_reference",
    "recipient_type",
    "recipient_last4",
    "recipient_bank_code",
    "recipient_holder_name",
    "account_sealed",
    "account_digest",
    "approvals_required",
    "policy_version",
    "daily_total_below",
    "created_by_type",
    "created_by_id",
  ],
  personalColumns: [
    "recipient_type",
    "recipient_last4",
    "recipient_bank_code",
    "recipient_holder_name",
    "account_digest",
  ],
  rotatingColumns: ["account_sealed"],
  changingColumns: ["provider", "routing", "approvals_given"],
  numericColumns: ["amount", "daily_total_below"],
  filterColumns: { currency: "currency" },
  audited: ({ provider, approvalsGiven }) => ({ provider, approvals_given: approvalsGiven }),
  toRow: (intent) => ({
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
    ...coreToRow(intent),
  }),
  fromRow: (row) => ({
    status: row.status as PayoutStatus,
    amount: BigInt(row.amount),
    currency: row.currency,
    country: row.country,
    merchantReference: row.merchant_reference,
    recipient: {
      type: row.recipient_type,
      accountLast4: row.recipient_last4,
      bankCode: row.recipient_bank_code,
      holderName: row.recipient_holder_name,
    },
    account: { sealed: row.account_sealed, digest: row.account_digest },
    provider: row.provider,
    routing: row.routing ?? onlyProvider(row.provider),
    approvalsRequired: row.approvals_required,
    policyVersion: row.policy_version,
    dailyTotalBelow: row.daily_total_below === null ? null : BigInt(row.daily_total_below),
    approvalsGiven: row.approvals_given,
    createdBy: { type: row.created_by_type, id: row.created_by_id },
    ...coreFromRow(row),
  }),
};
