import { findNames } from "@/server/db/history";
import { listRecipients } from "@/server/db/payout-recipients";
import { type PayoutRecipient, recipientObstacle } from "@/server/domain/payout-recipient";
import type { Scope } from "@/server/domain/scope";
import { merchantClock } from "../merchants/settings";

export interface ListedRecipient {
  readonly recipient: PayoutRecipient;
  /** The address of the member who saved it; null if unknown. */
  readonly savedBy: string | null;
  /** True once its cool-off has ended. */
  readonly isUsable: boolean;
}

/** Returns the recipients as people see them, in the same order. All must be of the scope. */
export async function describeRecipients(
  scope: Scope,
  recipients: readonly PayoutRecipient[],
): Promise<ListedRecipient[]> {
  const savers = [...new Set(recipients.map(({ savedById }) => savedById))];
  const [names, clock] = await Promise.all([findNames(scope.merchantId, savers), merchantClock(scope)]);
  const at = clock();
  return recipients.map((recipient) => ({
    recipient,
    savedBy: names.get(recipient.savedById) ?? null,
    isUsable: recipientObstacle(recipient, at) === null,
  }));
}

/** The saved recipients of the scope, by name. */
export async function savedRecipients(scope: Scope): Promise<ListedRecipient[]> {
  return describeRecipients(scope, await listRecipients(scope));
}
