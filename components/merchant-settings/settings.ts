// The merchant's settings in words.

import type { inferRouterOutputs } from "@trpc/server";
import { localSum } from "@/server/domain/local-sum";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import type { Fact } from "../intents/facts";

export type MerchantSettings = inferRouterOutputs<AppRouter>["merchantSettings"]["show"];
export type TopupTerms = MerchantSettings["topup_terms"];
export type CheckoutMode = MerchantSettings["checkout_mode"];

export const checkoutWordsIn = (
  texts: Texts,
): Readonly<Record<CheckoutMode, { readonly label: string; readonly about: string }>> => ({
  direct: { label: texts("settings.direct"), about: texts("settings.checkoutDirect") },
  hosted: { label: texts("settings.hostedPage"), about: texts("settings.checkoutHosted") },
});

export const feeWordsIn = (texts: Texts): Readonly<Record<TopupTerms["fee_mode"], string>> => ({
  absorbed: texts("settings.theOperatorPaysIt"),
  added: texts("settings.feeByPayer"),
  deducted: texts("settings.feeByMerchant"),
});

export type TopupPolicy = TopupTerms["overpayment"];
export type TopupPolicies = Pick<TopupTerms, "overpayment" | "underpayment" | "late_payment">;

export const policyWordsIn = (texts: Texts): Readonly<Record<TopupPolicy, string>> => ({
  credit_actual: texts("settings.creditWhatWasPaid"),
  hold: texts("settings.keepUntilDecided"),
  refund: texts("settings.keepToSendBack"),
});

export const policyKindsIn = (texts: Texts) =>
  [
    { kind: "overpayment", label: texts("settings.paidTooMuch") },
    { kind: "underpayment", label: texts("settings.paidTooLittle") },
    { kind: "late_payment", label: texts("settings.paidLate") },
  ] as const;

/** What becomes of top-ups that are not paid as quoted, in words. */
export function policyFacts(texts: Texts, policies: TopupPolicies): readonly Fact[] {
  return policyKindsIn(texts).map(({ kind, label }) => [label, policyWordsIn(texts)[policies[kind]]]);
}

/** "0.5 %"; a basis point is a hundredth of a percent. */
export function percentText({ language }: Pick<Texts, "language">, basisPoints: number): string {
  const hundredths = String(basisPoints % 100).padStart(2, "0");
  const number = `${Math.floor(basisPoints / 100)}.${hundredths}`.replace(/\.?0+$/, "");
  return `${localSum(language, number)} %`;
}
