import { z } from "zod";
import { sortParameter } from "@/server/contract/list-addresses";
import { listTopupIntentsQuery } from "@/server/contract/lists";
import { orderedRoute, presentPage, readListQuery } from "@/server/http/list";
import { presentTopupIntent } from "@/server/http/present/topup-intent";
import { intentHistory } from "@/server/services/intents/history";
import { getIntent, listIntents } from "@/server/services/intents/read";
import { watchIntents } from "@/server/services/intents/watch";
import { TOPUPS } from "@/server/services/topups/kind";
import { positionOf, presentWatched, shownInput } from "./lists";
import { presentHistory } from "./present/history";
import { memberProcedure, router } from "./procedures";

const ROUTE = "/topup_intents";

export const topupIntentsRouter = router({
  list: memberProcedure("read_intents")
    .input(listTopupIntentsQuery.extend(sortParameter))
    .query(async ({ ctx: { call }, input }) => {
      const { filter, order, after, limit } = readListQuery(call.scope, ROUTE, input);
      const page = await listIntents(TOPUPS, call.scope, filter, after, limit, order);
      return presentPage(call.scope, orderedRoute(ROUTE, order), page, presentTopupIntent);
    }),

  watch: memberProcedure("read_intents")
    .input(listTopupIntentsQuery.omit({ cursor: true, limit: true }).extend({ shown: shownInput }))
    .query(async ({ ctx: { call }, input }) => {
      const { filter } = readListQuery(call.scope, ROUTE, input);
      const shown = { filter, newest: positionOf(input.shown), ids: input.shown.ids };
      const watched = await watchIntents(TOPUPS, call.scope, shown);
      return presentWatched(watched, watched.intents.map(presentTopupIntent));
    }),

  get: memberProcedure("read_intents")
    .input(z.object({ id: z.string() }))
    .query(async ({ ctx: { call }, input }) => {
      const intent = await getIntent(TOPUPS, call.scope, input.id);
      return {
        topup: presentTopupIntent(intent),
        /** What the provider received and confirmed, in minor units of the source. */
        received_amount: intent.receivedAmount.toString(),
        history: presentHistory(await intentHistory(intent)),
      };
    }),
});
