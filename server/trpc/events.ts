// The dashboard's procedures on events that have occurred.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { listEventsQuery } from "@/server/contract/webhooks";
import type { StoredEvent } from "@/server/domain/delivery-record";
import { presentPage, readListQuery } from "@/server/http/list";
import { getEvent, listEvents } from "@/server/services/webhooks/events";
import { memberProcedure, router } from "./procedures";

const ROUTE = "/events";
const manage = memberProcedure("manage_webhooks");

function presentStoredEvent({ id, type, intentId, createdAt, body }: StoredEvent) {
  return { id, type, intent_id: intentId, created_at: formatInstant(createdAt), body };
}

export const eventsRouter = router({
  list: manage.input(listEventsQuery).query(async ({ ctx: { call }, input }) => {
    const { type, intent_id: intentId, ...query } = input;
    const { filter, after, limit } = readListQuery(call.scope, ROUTE, query);
    const { createdAfter, createdBefore } = filter;
    const page = await listEvents(call.scope, { type, intentId, createdAfter, createdBefore }, after, limit);
    return presentPage(call.scope, ROUTE, page, presentStoredEvent);
  }),

  get: manage
    .input(z.object({ id: z.string().max(64) }))
    .query(async ({ ctx: { call }, input }) => presentStoredEvent(await getEvent(call.scope, input.id))),
});
