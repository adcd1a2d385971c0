// The dashboard's procedure on providers: what concerns the merchant's own intents.
import { formatInstant } from "@/server/contract/instants";
import { findPaymentMethod } from "@/server/domain/payment-methods";
import { listProvidersOf } from "@/server/services/providers/of-merchant";
import { memberProcedure, router } from "./procedures";

export const providersRouter = router({
  list: memberProcedure("read_providers").query(async ({ ctx: { call } }) =>
    (await listProvidersOf(call.scope)).map((provider) => ({
      name: provider.name,
      state: provider.state,
      account: provider.subAccount,
      /** Their names. */
      payment_methods: provider.paymentMethods.map((code) => findPaymentMethod(code)?.name ?? code),
      payout_currencies: provider.payoutCurrencies,
      offers_topups: provider.offersTopups,
      paused_currencies: provider.pausedCurrencies,
      /** Counting stops at 1,000 of each kind. */
      open: provider.open,
      overdue: provider.overdue,
      /** Of the last 15 minutes. */
      calls: { count: provider.calls.count, without_answer: provider.calls.withoutAnswer },
      /** Within a day; null if not. */
      last_answer_at: provider.lastAnswerAt && formatInstant(provider.lastAnswerAt),
    })),
  ),
});
