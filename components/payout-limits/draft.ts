// Limits of payouts while they are being edited.

import type { inferRouterOutputs } from "@trpc/server";
import { readTypedAmount } from "@/server/domain/typed-amount";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { fieldAmount } from "../money/field-amount";

export type LimitsView = inferRouterOutputs<AppRouter>["payoutLimits"]["show"];
export type PayoutLimits = LimitsView["limits"][number];

export interface LimitsDraft {
  /** An API key's id; empty for the merchant. */
  readonly keyId: string;
  readonly currency: string;
  /** Typed amounts in major units; empty for no limit. */
  readonly amount: string;
  readonly day: string;
  readonly recipientDay: string;
}

/** The draft of the limits as they are for this key, or the merchant, and currency. */
export function draftOf(
  texts: Texts,
  limits: readonly PayoutLimits[],
  [keyId, currency]: readonly [keyId: string, currency: string],
): LimitsDraft {
  const present = limits.find((one) => (one.api_key_id ?? "") === keyId && one.currency === currency);
  const typed = (units: string | null | undefined) => (units ? fieldAmount(texts, units, currency) : "");
  return {
    keyId,
    currency,
    amount: typed(present?.amount_at_most),
    day: typed(present?.day_at_most),
    recipientDay: typed(present?.recipient_day_at_most),
  };
}

/** The edited limits as the server takes them, or the error of an amount. */
export function readDraft(texts: Texts, { keyId, currency, ...typed }: LimitsDraft) {
  const amountTexts = [typed.amount, typed.day, keyId === "" ? typed.recipientDay : ""].map((text) => text.trim());
  const amounts = amountTexts.map((text) => (text === "" ? null : readTypedAmount(text, currency, texts.language)));
  if (amounts.some((amount, index) => amount === null && amountTexts[index] !== ""))
    return { fault: texts("limits.amountInvalid", { currency }) };
  const [amount = null, day = null, recipientDay = null] = amounts;
  return {
    limits: {
      api_key_id: keyId === "" ? null : keyId,
      currency,
      amount_at_most: amount,
      day_at_most: day,
      recipient_day_at_most: recipientDay,
    },
  };
}
