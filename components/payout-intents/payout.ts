// Owns what the dashboard knows of a payout, and how it is said in words.
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

const MAKERS: Readonly<Record<string, string>> = { api_key: "API key", operator: "Operator", worker: "Sluice" };

/** Who made it or did something about it: an address, a key's name, or what kind of actor it was. */
export function actorText({ type, name }: { readonly type: string; readonly name: string | null }): string {
  if (type === "member") return name ?? "A former member";
  const kind = MAKERS[type] ?? type.charAt(0).toUpperCase() + type.slice(1);
  return name === null ? kind : `${kind} “${name}”`;
}

/** Why this member cannot approve, in words; null when they can. */
export function obstacleText({ obstacle }: Pick<Payout, "obstacle">): string | null {
  switch (obstacle) {
    case "made_by_you":
      return "You made this payout, so somebody else must approve it.";
    case "approved_by_you":
      return "You have approved this payout; it waits for another approver.";
    case null:
      return null;
  }
}
