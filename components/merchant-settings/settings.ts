// The merchant's settings in words.
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/trpc/router";
import type { Fact } from "../intents/facts";

export type MerchantSettings = inferRouterOutputs<AppRouter>["merchantSettings"]["show"];
export type TopupTerms = MerchantSettings["topup_terms"];
export type CheckoutMode = MerchantSettings["checkout_mode"];

export const CHECKOUT_WORDS: Readonly<Record<CheckoutMode, { readonly label: string; readonly about: string }>> = {
  direct: { label: "Direct", about: "payers follow the payment method's own step, such as a QR code or a bank page" },
  hosted: { label: "Hosted page", about: "payers are sent to the payment page of this service" },
};

export const FEE_WORDS: Readonly<Record<TopupTerms["fee_mode"], string>> = {
  absorbed: "The operator pays it",
  added: "The payer pays it, on top",
  deducted: "You pay it, from the credit",
};

export type TopupPolicy = TopupTerms["overpayment"];
export type TopupPolicies = Pick<TopupTerms, "overpayment" | "underpayment" | "late_payment">;

export const POLICY_WORDS: Readonly<Record<TopupPolicy, string>> = {
  credit_actual: "Credit what was paid",
  hold: "Keep it aside until decided",
  refund: "Keep it aside to send back",
};

export const POLICY_KINDS = [
  { kind: "overpayment", label: "Paid too much" },
  { kind: "underpayment", label: "Paid too little" },
  { kind: "late_payment", label: "Paid late" },
] as const;

/** What becomes of top-ups that are not paid as quoted, in words. */
export function policyFacts(policies: TopupPolicies): readonly Fact[] {
  return POLICY_KINDS.map(({ kind, label }) => [label, POLICY_WORDS[policies[kind]]]);
}

/** "0.5 %"; a basis point is a hundredth of a percent. */
export function percentText(basisPoints: number): string {
  const hundredths = String(basisPoints % 100).padStart(2, "0");
  return `${Math.floor(basisPoints / 100)}.${hundredths}`.replace(/\.?0+$/, "") + " %";
}
