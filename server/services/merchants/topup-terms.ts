// The terms of a merchant's new top-ups.
import { updateTopupTerms } from "@/server/db/topup-terms";
import { notFoundError, validationError } from "@/server/domain/errors";
import type { Scope } from "@/server/domain/scope";
import { readTerms, type TopupTerms, type TypedTopupTerms } from "@/server/domain/topup-terms";
import { operatorAct } from "./operator";
import { forgetMerchantSettings, merchantSettings } from "./settings";

/** The terms in one environment. Throws not_found for an unknown merchant. */
export async function getTopupTerms({ merchantId, environment }: Scope): Promise<TopupTerms> {
  return (await merchantSettings(merchantId)).topupTerms[environment];
}

/** The name of each term at the command line. */
const NAMES: Readonly<Record<keyof TopupTerms, string>> = {
  spreadBasisPoints: "spread-basis-points",
  feeMode: "fee-mode",
  overpayment: "overpayment",
  underpayment: "underpayment",
  latePayment: "late-payment",
};

/**
 * Sets the terms of new top-ups: at once in this process, within a second in others. Existing top-ups do not change.
 * Throws validation_failed for an invalid value, not_found for an unknown merchant.
 */
export async function setTopupTerms(scope: Scope, typed: TypedTopupTerms): Promise<TopupTerms> {
  const read = readTerms(typed);
  if ("fault" in read) throw validationError(NAMES[read.fault], `must be one of ${read.choices}`);
  const terms = await updateTopupTerms(scope, () => read.terms, operatorAct());
  if (!terms) throw notFoundError();
  forgetMerchantSettings(scope.merchantId);
  return terms;
}
