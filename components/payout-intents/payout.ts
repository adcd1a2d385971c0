import type { PresentedPayout } from "@/server/trpc/present/payout";
import { formatAmount } from "../money/format-amount";

export type Payout = PresentedPayout;

/** "1,500.00 BRL". */
export function sumOf({ amount, currency }: Pick<Payout, "amount" | "currency">): string {
  return `${formatAmount(amount, currency)} ${currency}`;
}

/** "1,500.00 BRL to Padaria Estrela Ltda". */
export function sumAndRecipient(payout: Payout): string {
  return `${sumOf(payout)} to ${payout.recipient.holder_name}`;
}

/** Why this member cannot approve, in words; null if they can. */
export function obstacleText({ obstacle }: Pick<Payout, "obstacle">): string | null {
  switch (obstacle) {
    case "made_by_you":
      return "You made this payout, its API key or its saved recipient, so somebody else must approve it.";
    case "authority_too_new":
      return "This payout is older than your authority to approve, so somebody else must approve it.";
    case "approved_by_you":
      return "You have approved this payout; it waits for another approver.";
    case null:
      return null;
  }
}

/** What to do about a payout that too few people can approve. */
export function missingApproversText({ approvers_missing: missing }: Pick<Payout, "approvers_missing">): string {
  const whom = missing === 1 ? "Invite a second approver" : `Invite ${missing} more approvers`;
  return `Too few people can approve this payout. ${whom}, then cancel it and create it again: nobody approves a payout that is older than their role.`;
}
