// Saving and removing recipients.
import { actOf } from "@/server/db/audit/record";
import { findRecipient, insertRecipient, removeRecipient } from "@/server/db/payout-recipients";
import { Forbidden, notFoundError, ServiceError, validationError } from "@/server/domain/errors";
import { MAXIMUM_RECIPIENTS, type PayoutRecipient } from "@/server/domain/payout-recipient";
import type { CallContext, Scope } from "@/server/domain/scope";
import { isId, newId } from "@/server/platform/ids";
import { lastFour } from "../account-numbers";
import { requireAllowedIfMember } from "../members/acting-member";
import { clockOf, merchantClock, merchantSettings, requireEnabledCurrency } from "../merchants/settings";
import { accountKey, openRecipientAccount, sealRecipientAccount } from "./accounts";
import { requirePlausibleAccount } from "./check-digits";

/** The recipient, also a removed one. Throws not_found. */
export async function getRecipient(scope: Scope, id: string): Promise<PayoutRecipient> {
  const recipient = isId("payoutRecipient", id) ? await findRecipient(scope, id) : null;
  if (!recipient) throw notFoundError();
  return recipient;
}

export interface TypedRecipient {
  readonly holderName: string;
  readonly accountNumber: string;
  readonly bankCode: string;
  readonly country: string;
  readonly currency: string;
}

/**
 * Saves a recipient, who can be paid after the merchant's cool-off. Saving the same one again returns the saved one. Throws
 * validation_failed for a currency that is not enabled, wrong check digits, a wrong bank code, an account saved with another
 * name or country, and above a thousand recipients; Forbidden without the role.
 */
export async function saveRecipient(context: CallContext, typed: TypedRecipient): Promise<PayoutRecipient> {
  const { scope, actor } = context;
  await requireAllowedIfMember(context, "create_payouts");
  if (actor.type !== "member") throw new Forbidden("Only a member can save a recipient.");
  const merchant = await merchantSettings(scope.merchantId);
  requireEnabledCurrency(merchant, "currency", typed.currency);
  requirePlausibleAccount(typed);
  const { accountNumber, ...shown } = typed;
  const at = clockOf(merchant, scope.environment)();
  const coolOffMs = merchant.recipientCoolOffSeconds[scope.environment] * 1_000;
  const owner = { ...scope, id: newId("payoutRecipient") };
  const recipient: PayoutRecipient = {
    ...owner,
    ...shown,
    accountSealed: sealRecipientAccount(owner, accountNumber),
    accountLast4: lastFour(accountNumber),
    savedById: actor.id,
    createdAt: at,
    usableFrom: new Date(at.getTime() + coolOffMs),
    removedAt: null,
  };
  const key = accountKey(typed, accountNumber);
  const refusal = await insertRecipient<PayoutRecipient | "full">(
    recipient,
    (present) => {
      const same = present.find(
        (one) => isAtSameBank(one, typed) && accountKey(one, openRecipientAccount(one)) === key,
      );
      return same ?? (present.length >= MAXIMUM_RECIPIENTS ? "full" : null);
    },
    actOf(context),
  );
  if (refusal === "full") throw new ServiceError("validation_failed", FULL);
  if (refusal === null) return recipient;
  if (refusal.holderName !== typed.holderName || refusal.country !== typed.country)
    throw validationError(
      "account_number",
      `is saved with the name ${refusal.holderName}; remove that recipient first`,
    );
  return refusal;
}

const FULL = `There are ${MAXIMUM_RECIPIENTS} recipients already; remove one first.`;

/** Narrows what has to be decrypted. */
function isAtSameBank(one: PayoutRecipient, typed: TypedRecipient): boolean {
  return one.currency === typed.currency && one.accountLast4 === lastFour(typed.accountNumber);
}

/** Removes a recipient: nobody can pay it from the dashboard any more. Throws not_found, and Forbidden without the role. */
export async function forgetRecipient(context: CallContext, id: string): Promise<void> {
  await requireAllowedIfMember(context, "create_payouts");
  const { scope } = context;
  const clock = await merchantClock(scope);
  if (!isId("payoutRecipient", id) || !(await removeRecipient(scope, id, clock(), actOf(context))))
    throw notFoundError();
}
