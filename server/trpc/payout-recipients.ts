// The dashboard's procedures on saved recipients of payouts.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { saveRecipientBody } from "@/server/contract/payout-recipients";
import { stepUpProof } from "@/server/contract/step-up";
import { merchantSettings } from "@/server/services/merchants/settings";
import { describeRecipients, type ListedRecipient, savedRecipients } from "@/server/services/recipients/list";
import { forgetRecipient, saveRecipient } from "@/server/services/recipients/save";
import { requireStepUp } from "@/server/services/sign-in/step-up";
import { presentActor } from "./present/actor";
import { memberProcedure, router } from "./procedures";

export const payoutRecipientsRouter = router({
  list: memberProcedure("read_intents").query(async ({ ctx: { call } }) => {
    const { scope } = call;
    const [recipients, { currencies, recipientCoolOffSeconds }] = await Promise.all([
      savedRecipients(scope),
      merchantSettings(scope.merchantId),
    ]);
    return {
      recipients: recipients.map(presentRecipient),
      currencies: [...currencies].sort(),
      cool_off_seconds: recipientCoolOffSeconds[scope.environment],
    };
  }),

  /** Saving the same recipient again returns the saved one. */
  save: memberProcedure("create_payouts")
    .input(saveRecipientBody.extend(stepUpProof.shape))
    .mutation(async ({ ctx: { call }, input }) => {
      await requireStepUp(call, "create_payout", input);
      const { holder_name: holderName, account_number: accountNumber, bank_code: bankCode, country, currency } = input;
      const saved = await saveRecipient(call, { holderName, accountNumber, bankCode, country, currency });
      const [listed] = await describeRecipients(call.scope, [saved]);
      return presentRecipient(listed as ListedRecipient);
    }),

  remove: memberProcedure("create_payouts")
    .input(z.object({ id: z.string().max(64) }))
    .mutation(async ({ ctx: { call }, input: { id } }) => {
      await forgetRecipient(call, id);
      return { id };
    }),
});

function presentRecipient({ recipient, savedBy, isUsable }: ListedRecipient) {
  return {
    id: recipient.id,
    holder_name: recipient.holderName,
    bank_code: recipient.bankCode,
    country: recipient.country,
    currency: recipient.currency,
    account_last4: recipient.accountLast4,
    saved_by: presentActor(savedBy),
    created_at: formatInstant(recipient.createdAt),
    usable_from: formatInstant(recipient.usableFrom),
    is_usable: isUsable,
  };
}

export type PresentedRecipient = ReturnType<typeof presentRecipient>;
