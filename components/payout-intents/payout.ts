import type { PresentedPayout } from "@/server/trpc/present/payout";
import type { Texts } from "../i18n/dashboard-texts";
import { formatAmount } from "../money/format-amount";

export type Payout = PresentedPayout;

/** "1,500.00 BRL". */
export function sumOf(texts: Texts, { amount, currency }: Pick<Payout, "amount" | "currency">): string {
  return `${formatAmount(texts, amount, currency)} ${currency}`;
}

/** "1,500.00 BRL to Padaria Estrela Ltda". */
export function sumAndRecipient(texts: Texts, payout: Payout): string {
  return texts("payouts.sumToHolderName", { sum: sumOf(texts, payout), holderName: payout.recipient.holder_name });
}

/** Why this member cannot approve, in words; null if they can. */
export function obstacleText(texts: Texts, { obstacle }: Pick<Payout, "obstacle">): string | null {
  switch (obstacle) {
    case "made_by_you":
      return texts("payouts.obstacleMaker");
    case "authority_too_new":
      return texts("payouts.obstacleRole");
    case "approved_by_you":
      return texts("payouts.obstacleApproved");
    case null:
      return null;
  }
}

/** What to do about a payout that too few people can approve. */
export function missingApproversText(
  texts: Texts,
  { approvers_missing: missing }: Pick<Payout, "approvers_missing">,
): string {
  return texts("payouts.approversMissing", { count: missing });
}
