import { listRecipients } from "@/server/db/payout-recipients";
import { type PayoutRecipient, recipientObstacle } from "@/server/domain/payout-recipient";
import type { Scope } from "@/server/domain/scope";
import { actorNames, type NamedActor, namedActor } from "../members/names";
import { merchantClock } from "../merchants/settings";

export interface ListedRecipient {
  readonly recipient: PayoutRecipient;
  /** The member who saved it. */
  readonly savedBy: NamedActor;
  /** True once its cool-off has ended. */
  readonly isUsable: boolean;
}

/** Returns the recipients as people see them, in the same order. All must be of the scope. */
export async function describeRecipients(
  scope: Scope,
  recipients: readonly PayoutRecipient[],
): Promise<ListedRecipient[]> {
  const savers = recipients.map(({ savedById }) => savedById);
  const [names, clock] = await Promise.all([actorNames(scope.merchantId, savers), merchantClock(scope)]);
  const at = clock();
  return recipients.map((recipient) => ({
    recipient,
    savedBy: namedActor({ type: "member", id: recipient.savedById }, names),
    isUsable: recipientObstacle(recipient, at) === null,
  }));
}

/** The saved recipients of the scope, by name. */
export async function savedRecipients(scope: Scope): Promise<ListedRecipient[]> {
  return describeRecipients(scope, await listRecipients(scope));
}
