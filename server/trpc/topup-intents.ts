import { z } from "zod";
import { amountParameters, sortParameter } from "@/server/contract/list-addresses";
import { listTopupIntentsQuery } from "@/server/contract/lists";
import { createTopupIntentBody } from "@/server/contract/topup-intents";
import { orderedRoute, presentPage, readListQuery } from "@/server/http/list";
import { presentTopupIntent } from "@/server/http/present/topup-intent";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { intentHistory } from "@/server/services/intents/history";
import { getIntent, listIntents } from "@/server/services/intents/read";
import { watchIntents } from "@/server/services/intents/watch";
import { createTopupIntent } from "@/server/services/topups/create";
import { TOPUPS } from "@/server/services/topups/kind";
import { positionOf, presentWatched, shownInput } from "./lists";
import { presentHistory } from "./present/history";
import { memberProcedure, router } from "./procedures";

const ROUTE = "/topup_intents";

export const topupIntentsRouter = router({
  list: memberProcedure("read_intents")
    .input(listTopupIntentsQuery.extend({ ...sortParameter, ...amountParameters }))
    .query(async ({ ctx: { call }, input }) => {
      const { filter, order, after, limit } = readListQuery(call.scope, ROUTE, input);
      const page = await listIntents(TOPUPS, call.scope, filter, after, limit, order);
      return presentPage(call.scope, orderedRoute(ROUTE, order), page, presentTopupIntent);
    }),

  watch: memberProcedure("read_intents")
    .input(listTopupIntentsQuery.omit({ cursor: true, limit: true }).extend({ ...amountParameters, shown: shownInput }))
    .query(async ({ ctx: { call }, input }) => {
      const { filter } = readListQuery(call.scope, ROUTE, input);
      const shown = { filter, newest: positionOf(input.shown), ids: input.shown.ids };
      const watched = await watchIntents(TOPUPS, call.scope, shown);
      return presentWatched(watched, watched.intents.map(presentTopupIntent));
    }),

  /** A top-up of the merchant's wallet. The reference, which must be given here, makes a repetition safe. */
  create: memberProcedure("create_topups")
    .input(createTopupIntentBody.required({ merchant_reference: true }))
    .mutation(async ({ ctx: { call }, input }) => {
      const { destination, source, country, merchant_reference: merchantReference } = input;
      const { type, provider = null, currency, network = null } = source;
      const command = { destination, source: { type, provider, currency, network }, country, merchantReference };
      const { intent, completion } = await createTopupIntent(call, command, withoutIdempotency());
      return { topup: presentTopupIntent(intent), is_repeated: completion === "repeated" };
    }),

  get: memberProcedure("read_intents")
    .input(z.object({ id: z.string() }))
    .query(async ({ ctx: { call, allows }, input }) => {
      const intent = await getIntent(TOPUPS, call.scope, input.id);
      return {
        topup: presentTopupIntent(intent),
        /** What the provider received and confirmed, in minor units of the source. */
        received_amount: intent.receivedAmount.toString(),
        history: presentHistory(await intentHistory(intent), allows("read_providers")),
      };
    }),
});
