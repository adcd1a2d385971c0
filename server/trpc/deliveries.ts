import { z } from "zod";
import { plainListQuery, replayBody } from "@/server/contract/webhooks";
import { DELIVERY_STATES, MOST_RESENT_AT_ONCE } from "@/server/domain/delivery";
import { validationError } from "@/server/domain/errors";
import { presentPage, readInstant, readListQuery } from "@/server/http/list";
import { presentDelivery, presentReplay } from "@/server/http/present/webhook";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { listDeliveries } from "@/server/services/webhooks/deliveries";
import { replayToEndpoint } from "@/server/services/webhooks/replay";
import { resendDelivery } from "@/server/services/webhooks/resend";
import { resendDeliveries } from "@/server/services/webhooks/resend-many";
import { presentWholeDelivery } from "./present/delivery";
import { memberProcedure, router } from "./procedures";

const manage = memberProcedure("manage_webhooks");
const listInput = plainListQuery.extend({
  endpoint_id: z.string().optional(),
  event_id: z.string().optional(),
  state: z.enum(DELIVERY_STATES).optional(),
});

export const deliveriesRouter = router({
  /** The deliveries to an endpoint, of an event, or both. Throws validation_failed if neither is named. */
  list: manage.input(listInput).query(async ({ ctx: { call }, input }) => {
    const { endpoint_id: endpointId, event_id: eventId, state, ...query } = input;
    if (endpointId === undefined && eventId === undefined) {
      throw validationError("endpoint_id", "must be given, or an event_id");
    }
    const route = `/webhook_endpoints/${endpointId ?? ""}/events/${eventId ?? ""}/deliveries`;
    const { after, limit } = readListQuery(call.scope, route, query);
    const page = await listDeliveries(call.scope, { endpointId, eventId, state }, after, limit);
    return presentPage(call.scope, route, page, presentWholeDelivery);
  }),

  resend: manage
    .input(z.object({ id: z.string() }))
    .mutation(async ({ ctx: { call }, input }) =>
      presentDelivery((await resendDelivery(call, input.id, withoutIdempotency())).intent),
    ),

  /** Resends each separately: one that cannot be sent does not block the others. */
  resendMany: manage
    .input(z.object({ ids: z.array(z.string().max(64)).min(1).max(MOST_RESENT_AT_ONCE) }))
    .mutation(({ ctx: { call }, input }) => resendDeliveries(call, input.ids)),

  replay: manage.input(replayBody.extend({ endpoint_id: z.string() })).mutation(async ({ ctx: { call }, input }) => {
    const command = { id: input.endpoint_id, since: readInstant("since", input.since) };
    return presentReplay((await replayToEndpoint(call, command, withoutIdempotency())).intent);
  }),
});
