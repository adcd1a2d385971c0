import { FEE_MODES } from "@/server/domain/fx";
import { ENVIRONMENTS, type Environment } from "@/server/domain/scope";
import { TOPUP_POLICIES, type TopupTerms } from "@/server/domain/topup-terms";
import { getTopupTerms, setTopupTerms } from "@/server/services/merchants/topup-terms";
import { type Command, defineCommand, oneOf, optional, required } from "../command";

/** In wire names, with their merchant and environment. */
function presentTopupTerms(merchantId: string, environment: Environment, terms: TopupTerms) {
  return {
    merchant_id: merchantId,
    environment,
    overpayment: terms.overpayment,
    underpayment: terms.underpayment,
    late_payment: terms.latePayment,
    spread_basis_points: terms.spreadBasisPoints,
    fee_mode: terms.feeMode,
  };
}

const show = defineCommand({
  name: "topup-terms show",
  summary:
    "Show the terms of a merchant's new top-ups: spread, fee mode, and policies for payments that differ from the quote",
  cells: "merchant",
  options: { merchant: required("ID", "the merchant"), environment: oneOf(ENVIRONMENTS, "whose terms") },
  run: async ({ merchant, environment }) =>
    presentTopupTerms(merchant, environment, await getTopupTerms({ merchantId: merchant, environment })),
});

const POLICY = TOPUP_POLICIES.join("|");

const set = defineCommand({
  name: "topup-terms set",
  summary: "Set terms of a merchant's new top-ups, with an audit entry; omitted terms stay unchanged",
  cells: "merchant",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "whose terms"),
    overpayment: optional(POLICY, "for funds above the quoted sum"),
    underpayment: optional(POLICY, "for a part paid before the quote expired"),
    latePayment: optional(POLICY, "for funds that arrive after the end of the top-up"),
    spreadBasisPoints: optional("NUMBER", "the operator's share of the conversion: 50 is 0.5 %"),
    feeMode: optional(FEE_MODES.join("|"), "who bears the provider's fee: you, the payer, the credit"),
  },
  run: async ({ merchant, environment, ...terms }) =>
    presentTopupTerms(merchant, environment, await setTopupTerms({ merchantId: merchant, environment }, terms)),
});

export const topupTerms: readonly Command[] = [show, set];
