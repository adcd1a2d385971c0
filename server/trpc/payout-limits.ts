import { payoutLimitsBody } from "@/server/contract/payout-limits";
import { stepUpProof } from "@/server/contract/step-up";
import { presentPayoutLimits } from "@/server/http/present/payout-limits";
import { listApiKeys } from "@/server/services/api-keys/list";
import { merchantSettings } from "@/server/services/merchants/settings";
import { setPayoutLimits, showPayoutLimits } from "@/server/services/payout-limits/limits";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { memberProcedure, router } from "./procedures";

export const payoutLimitsRouter = router({
  /** Limits of keys that have ended are left out. */
  show: memberProcedure("read_policies").query(async ({ ctx: { call } }) => {
    const { scope } = call;
    const [limits, keys, { currencies }] = await Promise.all([
      showPayoutLimits(scope),
      listApiKeys(scope),
      merchantSettings(scope.merchantId),
    ]);
    const usable = keys.filter(({ state }) => state === "active" || state === "expiring");
    const names = new Map(usable.map(({ id, name }) => [id, name]));
    const isShown = (keyId: string | null) => keyId === null || names.has(keyId);
    return {
      limits: limits.map(presentPayoutLimits).filter(({ api_key_id: keyId }) => isShown(keyId)),
      keys: usable.map(({ id, name, publicKey }) => ({ id, name, public_key: publicKey })),
      currencies: [...currencies].sort(),
    };
  }),

  set: memberProcedure("decide_policies")
    .input(payoutLimitsBody.extend(stepUpProof.shape))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "policies", input);
      const { api_key_id: apiKeyId, currency } = input;
      const subject = apiKeyId === null ? "merchant" : { apiKeyId };
      const limits = await setPayoutLimits(call, {
        subject,
        currency,
        amountAtMost: input.amount_at_most,
        dayAtMost: input.day_at_most,
        recipientDayAtMost: input.recipient_day_at_most,
      });
      return presentPayoutLimits({ subject, currency, limits });
    }),
});
