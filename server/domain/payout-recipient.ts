// Recipients that members save, in order to pay them from the dashboard.
import type { Scope } from "./scope";

export interface PayoutRecipient extends Scope {
  readonly id: string;
  readonly holderName: string;
  readonly bankCode: string;
  readonly country: string;
  /** In which the account is paid. */
  readonly currency: string;
  /** The account number, encrypted. */
  readonly accountSealed: string;
  readonly accountLast4: string;
  /** The member who saved it; a maker of every payout to it. */
  readonly savedById: string;
  readonly createdAt: Date;
  /** The end of its cool-off, by the merchant's clock. */
  readonly usableFrom: Date;
  readonly removedAt: Date | null;
}

/** Per merchant and environment, without the removed ones. */
export const MAXIMUM_RECIPIENTS = 1_000;

/** The longest cool-off that can be set: 30 days. */
export const LONGEST_COOL_OFF_SECONDS = 30 * 24 * 60 * 60;

/** Why a recipient cannot be paid. */
export type RecipientObstacle = "removed" | "cooling_off";

/** Returns why the recipient cannot be paid at that time, or null if it can. */
export function recipientObstacle(
  { removedAt, usableFrom }: Pick<PayoutRecipient, "removedAt" | "usableFrom">,
  at: Date,
): RecipientObstacle | null {
  if (removedAt !== null) return "removed";
  return usableFrom > at ? "cooling_off" : null;
}
