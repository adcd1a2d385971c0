import { z } from "zod";
import { plainListQuery, replayBody } from "@/server/contract/webhooks";
import { DELIVERY_STATES } from "@/server/domain/delivery";
import { presentPage, readInstant, readListQuery } from "@/server/http/list";
import { presentDelivery, presentReplay } from "@/server/http/present/webhook";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { listDeliveries } from "@/server/services/webhooks/deliveries";
import { replayToEndpoint } from "@/server/services/webhooks/replay";
import { resendDelivery } from "@/server/services/webhooks/resend";
import { memberProcedure, router } from "./procedures";

const manage = memberProcedure("manage_webhooks");
const listInput = plainListQuery.extend({ endpoint_id: z.string(), state: z.enum(DELIVERY_STATES).optional() });

export const deliveriesRouter = router({
  list: manage.input(listInput).query(async ({ ctx: { call }, input }) => {
    const { endpoint_id: endpointId, state, ...query } = input;
    const route = `/webhook_endpoints/${endpointId}/deliveries`;
    const { after, limit } = readListQuery(call.scope, route, query);
    const page = await listDeliveries(call.scope, { endpointId, state }, after, limit);
    return presentPage(call.scope, route, page, presentDelivery);
  }),

  resend: manage
    .input(z.object({ id: z.string() }))
    .mutation(async ({ ctx: { call }, input }) =>
      presentDelivery((await resendDelivery(call, input.id, withoutIdempotency())).intent),
    ),

  replay: manage.input(replayBody.extend({ endpoint_id: z.string() })).mutation(async ({ ctx: { call }, input }) => {
    const command = { id: input.endpoint_id, since: readInstant("since", input.since) };
    return presentReplay((await replayToEndpoint(call, command, withoutIdempotency())).intent);
  }),
});
