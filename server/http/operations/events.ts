// The REST operations on events and their deliveries. The catalogue is interface §4.6; the rest are extensions.
import { EVENT_CATALOGUE_BODY, eventCatalogue } from "@/server/contract/events";
import { pageOf } from "@/server/contract/lists";
import {
  deliveryResource,
  eventResource,
  listEventsQuery,
  nothingBody,
  plainListQuery,
} from "@/server/contract/webhooks";
import { listDeliveries } from "@/server/services/webhooks/deliveries";
import { getEvent, listEvents } from "@/server/services/webhooks/events";
import { resendDelivery } from "@/server/services/webhooks/resend";
import { presentPage, readListQuery } from "../list";
import { type Operation, read, write } from "../operation";
import { presentDelivery, presentEvent } from "../present/webhook";

const PATH = "/events";

export const eventOperations: readonly Operation[] = [
  {
    id: "listWebhookEvents",
    method: "GET",
    path: "/webhook_events",
    tag: "Events",
    summary: "The closed catalogue of outbound events",
    extension: false,
    answers: { 200: { schema: eventCatalogue, meaning: "Every event there is, with an example of its payload." } },
    errors: [],
    body: JSON.stringify(EVENT_CATALOGUE_BODY),
  },
  read({
    id: "listEvents",
    path: PATH,
    tag: "Events",
    summary: "List events, newest first",
    description: "Whether or not an endpoint was told of them.",
    extension: true,
    query: listEventsQuery,
    answers: { 200: { schema: pageOf(eventResource, "EventPage"), meaning: "One page." } },
    errors: [],
    run: async ({ context: { scope }, query }) => {
      const { filter, after, limit } = readListQuery(scope, PATH, query);
      const { createdAfter, createdBefore } = filter;
      const asked = { type: query.type, intentId: query.intent_id, createdAfter, createdBefore };
      return presentPage(scope, PATH, await listEvents(scope, asked, after, limit), presentEvent);
    },
  }),
  read({
    id: "getEvent",
    path: `${PATH}/:id`,
    tag: "Events",
    summary: "Read an event",
    extension: true,
    query: null,
    answers: { 200: { schema: eventResource, meaning: "The event, as endpoints are sent it." } },
    errors: ["not_found"],
    run: async ({ context, params }) => presentEvent(await getEvent(context.scope, params.id ?? "")),
  }),
  read({
    id: "listEventDeliveries",
    path: `${PATH}/:id/deliveries`,
    tag: "Events",
    summary: "List the deliveries of an event, with their attempts",
    extension: true,
    query: plainListQuery,
    answers: { 200: { schema: pageOf(deliveryResource, "DeliveryPage"), meaning: "One page." } },
    errors: ["not_found"],
    run: async ({ context: { scope }, params, query }) => {
      const eventId = params.id ?? "";
      const route = `${PATH}/${eventId}/deliveries`;
      const { after, limit } = readListQuery(scope, route, query);
      return presentPage(scope, route, await listDeliveries(scope, { eventId }, after, limit), presentDelivery);
    },
  }),
  write({
    id: "resendDelivery",
    path: "/deliveries/:id/resend",
    tag: "Events",
    summary: "Send a delivery once more",
    description:
      "Now, whatever became of it before, and on from there by the schedule. Event id and bytes are the same.",
    extension: true,
    body: nothingBody,
    bodyOptional: true,
    idempotencyKey: "optional",
    answers: { 202: { schema: deliveryResource, meaning: "The delivery, due now." } },
    errors: ["not_found"],
    present: presentDelivery,
    verb: ({ context, params }, sealing) => resendDelivery(context, params.id ?? "", sealing),
  }),
];
