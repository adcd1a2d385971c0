import { validationError } from "@/server/domain/errors";
import type { LimitSubject } from "@/server/domain/payout-limits";
import { ENVIRONMENTS, type Scope } from "@/server/domain/scope";
import { presentPayoutLimits } from "@/server/http/present/payout-limits";
import { requireKeyByPublicKey } from "@/server/services/api-keys/by-public-key";
import { setPayoutLimits, showPayoutLimits } from "@/server/services/payout-limits/limits";
import { asOperator } from "../acting-as";
import { type Command, defineCommand, oneOf, optional, required } from "../command";

/** Returns what `--public-key` names, or the merchant without it. Throws not_found, and validation_failed for another scope's key. */
async function readSubject({ merchantId, environment }: Scope, publicKey: string | null): Promise<LimitSubject> {
  if (publicKey === null) return "merchant";
  const { id, scope } = await requireKeyByPublicKey(publicKey);
  if (scope.merchantId !== merchantId || scope.environment !== environment)
    throw validationError("public-key", "must be a key of the merchant and environment");
  return { apiKeyId: id };
}

const show = defineCommand({
  name: "payout-limits show",
  summary: "Show the limits of a merchant's new payouts, in minor units",
  cells: "merchant",
  options: { merchant: required("ID", "the merchant"), environment: oneOf(ENVIRONMENTS, "whose limits") },
  run: async ({ merchant, environment }) => ({
    data: (await showPayoutLimits({ merchantId: merchant, environment })).map(presentPayoutLimits),
  }),
});

const set = defineCommand({
  name: "payout-limits set",
  summary: "Replace the limits of a merchant's or an API key's new payouts in a currency; an omitted limit is none",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "whose limits"),
    currency: required("CODE", "the currency"),
    publicKey: optional("PK", "the API key that the limits apply to; the merchant by default"),
    amount: optional("MINOR", "the largest payout, in minor units"),
    day: optional("MINOR", "all payouts of a UTC day, in minor units"),
    recipientDay: optional("MINOR", "all payouts of a UTC day to one recipient, in minor units; not for a key"),
  },
  run: async ({ merchant, environment, currency, publicKey, amount, day, recipientDay }) => {
    const scope = { merchantId: merchant, environment };
    const subject = await readSubject(scope, publicKey);
    const typed = { amountAtMost: amount, dayAtMost: day, recipientDayAtMost: recipientDay };
    const limits = await setPayoutLimits(asOperator(scope), { subject, currency, ...typed });
    return presentPayoutLimits({ subject, currency, limits });
  },
});

export const payoutLimits: readonly Command[] = [show, set];
