// Owns the command that shows what a merchant's new top-ups are made under.
import { ENVIRONMENTS } from "@/server/domain/scope";
import { getTopupTerms } from "@/server/services/merchants/topup-terms";
import { defineCommand, oneOf, required } from "../command";
import { presentTopupTerms } from "../present-topup-terms";

export const topupTermsShow = defineCommand({
  name: "topup-terms show",
  summary: "Show what a merchant's new top-ups convert at, and what becomes of a payment that is not as quoted",
  options: { merchant: required("ID", "the merchant"), environment: oneOf(ENVIRONMENTS, "whose terms") },
  run: async ({ merchant, environment }) =>
    presentTopupTerms(merchant, environment, await getTopupTerms({ merchantId: merchant, environment })),
});
