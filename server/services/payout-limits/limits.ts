// Shows and sets the limits of new payouts.
import { hasApiKey } from "@/server/db/api-keys";
import { actOf } from "@/server/db/audit/record";
import { listPayoutLimits, replacePayoutLimits, type SubjectLimits } from "@/server/db/payout-limits";
import { notFoundError, validationError } from "@/server/domain/errors";
import { parseAmount } from "@/server/domain/money";
import type { LimitSubject, PayoutLimits } from "@/server/domain/payout-limits";
import type { CallContext, Scope } from "@/server/domain/scope";
import { merchantSettings, requireEnabledCurrency } from "../merchants/settings";

export type { SubjectLimits } from "@/server/db/payout-limits";

/** Returns every limit of the scope, the merchant's before those of its keys. */
export function showPayoutLimits(scope: Scope): Promise<SubjectLimits[]> {
  return listPayoutLimits(scope);
}

/** Limits as they are typed: minor units as text; null is no limit. */
export interface TypedLimits {
  readonly subject: LimitSubject;
  readonly currency: string;
  readonly amountAtMost: string | null;
  readonly dayAtMost: string | null;
  readonly recipientDayAtMost: string | null;
}

/**
 * Replaces the limits of a subject in a currency, for payouts created from now on. Throws validation_failed for an
 * invalid amount, a currency that is not enabled, or a limit per recipient of a key; not_found for an unknown merchant or
 * key.
 */
export async function setPayoutLimits(context: CallContext, typed: TypedLimits): Promise<PayoutLimits> {
  const { scope } = context;
  const { subject, currency } = typed;
  requireEnabledCurrency(await merchantSettings(scope.merchantId), "currency", currency);
  const limits: PayoutLimits = {
    amountAtMost: readLimit("amount_at_most", typed.amountAtMost, currency),
    dayAtMost: readLimit("day_at_most", typed.dayAtMost, currency),
    recipientDayAtMost: readLimit("recipient_day_at_most", typed.recipientDayAtMost, currency),
  };
  if (subject !== "merchant") {
    if (limits.recipientDayAtMost !== null)
      throw validationError("recipient_day_at_most", "applies to a merchant, not to one API key");
    if (!(await hasApiKey(scope, subject.apiKeyId))) throw notFoundError();
  }
  await replacePayoutLimits(scope, { subject, currency, limits }, actOf(context));
  return limits;
}

function readLimit(field: string, text: string | null, currency: string): bigint | null {
  if (text === null) return null;
  const amount = parseAmount(text, currency);
  if (amount === null) throw validationError(field, "must be a positive whole number of minor units");
  return amount;
}
