import { z } from "zod";
import { amountParameters, sortParameter } from "@/server/contract/list-addresses";
import { listPaymentIntentsQuery } from "@/server/contract/lists";
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { orderedRoute, presentPage, readListQuery } from "@/server/http/list";
import { presentPaymentIntent } from "@/server/http/present/payment-intent";
import { intentHistory } from "@/server/services/intents/history";
import { getIntent, listIntents } from "@/server/services/intents/read";
import { watchIntents } from "@/server/services/intents/watch";
import { PAYMENTS } from "@/server/services/payments/kind";
import { positionOf, presentWatched, shownInput } from "./lists";
import { presentHistory } from "./present/history";
import { memberProcedure, router } from "./procedures";

const ROUTE = "/payment_intents";

/** A row of a list, which does not show the texts for the payer. */
function presentRow(intent: PaymentIntent): Omit<PaymentIntentResource, "description" | "return_url"> {
  return presentPaymentIntent(intent);
}

export const paymentIntentsRouter = router({
  list: memberProcedure("read_intents")
    .input(listPaymentIntentsQuery.extend({ ...sortParameter, ...amountParameters }))
    .query(async ({ ctx: { call }, input }) => {
      const { filter, order, after, limit } = readListQuery(call.scope, ROUTE, input);
      const page = await listIntents(PAYMENTS, call.scope, filter, after, limit, order);
      return presentPage(call.scope, orderedRoute(ROUTE, order), page, presentRow);
    }),

  watch: memberProcedure("read_intents")
    .input(
      listPaymentIntentsQuery.omit({ cursor: true, limit: true }).extend({ ...amountParameters, shown: shownInput }),
    )
    .query(async ({ ctx: { call }, input }) => {
      const { filter } = readListQuery(call.scope, ROUTE, input);
      const shown = { filter, newest: positionOf(input.shown), ids: input.shown.ids };
      const watched = await watchIntents(PAYMENTS, call.scope, shown);
      return presentWatched(watched, watched.intents.map(presentRow));
    }),

  get: memberProcedure("read_intents")
    .input(z.object({ id: z.string() }))
    .query(async ({ ctx: { call, allows }, input }) => {
      const intent = await getIntent(PAYMENTS, call.scope, input.id);
      const history = presentHistory(await intentHistory(intent), allows("read_providers"));
      return { payment: presentPaymentIntent(intent), customer: intent.customer, history };
    }),
});
