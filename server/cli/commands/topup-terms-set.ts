// Owns the command that sets what a merchant's new top-ups are made under.
import { FEE_MODES } from "@/server/domain/fx";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { TOPUP_POLICIES } from "@/server/domain/topup-terms";
import { setTopupTerms } from "@/server/services/merchants/topup-terms";
import { defineCommand, oneOf, optional, required } from "../command";
import { presentTopupTerms } from "../present-topup-terms";

const POLICY = TOPUP_POLICIES.join("|");

export const topupTermsSet = defineCommand({
  name: "topup-terms set",
  summary: "Set terms of a merchant's top-ups from now on, with an audit entry; what is left out stays",
  options: {
    merchant: required("ID", "the merchant"),
    environment: oneOf(ENVIRONMENTS, "whose terms"),
    overpayment: optional(POLICY, "for what exceeds the asked sum"),
    underpayment: optional(POLICY, "for a part that was paid when the quote ran out"),
    "late-payment": optional(POLICY, "for funds that come after the end"),
    "spread-basis-points": optional("NUMBER", "kept of the conversion: 50 is 0.5 %"),
    "fee-mode": optional(FEE_MODES.join("|"), "who bears the provider's fee: you, the payer, the credit"),
  },
  run: async ({ merchant, environment, ...typed }) => {
    const terms = await setTopupTerms(
      { merchantId: merchant, environment },
      {
        overpayment: typed.overpayment,
        underpayment: typed.underpayment,
        latePayment: typed["late-payment"],
        spreadBasisPoints: typed["spread-basis-points"],
        feeMode: typed["fee-mode"],
      },
    );
    return presentTopupTerms(merchant, environment, terms);
  },
});
