// The settings of the merchant: every member reads them, owners change some, and the rest is the operator's.
import { z } from "zod";
import { stepUpProof } from "@/server/contract/step-up";
import { CHECKOUT_MODES } from "@/server/domain/payment-intent";
import type { CallContext } from "@/server/domain/scope";
import { renameByOwner, setCheckoutByOwner } from "@/server/services/merchant-settings/general";
import { merchantSettings } from "@/server/services/merchants/settings";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { memberProcedure, router } from "./procedures";

const manage = memberProcedure("manage_settings");

/** Both environments share these settings, so a proof is asked for in test, too. */
function inLive(call: CallContext): CallContext {
  return { ...call, scope: { ...call.scope, environment: "live" } };
}

export const merchantSettingsRouter = router({
  show: memberProcedure("read_settings").query(async ({ ctx: { call } }) => {
    const { merchantId, environment } = call.scope;
    const merchant = await merchantSettings(merchantId);
    const terms = merchant.topupTerms[environment];
    return {
      id: merchantId,
      name: merchant.name,
      checkout_mode: merchant.checkoutMode,
      currencies: [...merchant.currencies].sort(),
      /** Nothing new is created in them; their wallets stay. */
      removed_currencies: [...merchant.walletCurrencies].filter((code) => !merchant.currencies.has(code)).sort(),
      /** Of new top-ups in the environment. */
      topup_terms: {
        spread_basis_points: terms.spreadBasisPoints,
        fee_mode: terms.feeMode,
        overpayment: terms.overpayment,
        underpayment: terms.underpayment,
        late_payment: terms.latePayment,
      },
      checks_accounts: merchant.checksAccounts,
      authority_cool_down_seconds: merchant.authorityCoolDownSeconds,
      recipient_cool_off_seconds: merchant.recipientCoolOffSeconds[environment],
    };
  }),

  setName: manage
    .input(z.object({ ...stepUpProof.shape, name: z.string().max(1_000) }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(inLive(call), "policies", input);
      return { name: await renameByOwner(call, input.name) };
    }),

  setCheckoutMode: manage
    .input(z.object({ ...stepUpProof.shape, mode: z.enum(CHECKOUT_MODES) }))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(inLive(call), "policies", input);
      await setCheckoutByOwner(call, input.mode);
      return { mode: input.mode };
    }),
});
