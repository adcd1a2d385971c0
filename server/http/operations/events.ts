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
    summary: "List the event types",
    extension: false,
    answers: { 200: { schema: eventCatalogue, meaning: "All event types, each with an example payload." } },
    errors: [],
    body: JSON.stringify(EVENT_CATALOGUE_BODY),
  },
  read({
    id: "listEvents",
    keyScope: "events:read",
    path: PATH,
    tag: "Events",
    summary: "List events, newest first",
    description: "Includes events that were sent to no endpoint.",
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
    keyScope: "events:read",
    path: `${PATH}/:id`,
    tag: "Events",
    summary: "Read an event",
    extension: true,
    query: null,
    answers: { 200: { schema: eventResource, meaning: "The event, as endpoints receive it." } },
    errors: ["not_found"],
    run: async ({ context, params }) => presentEvent(await getEvent(context.scope, params.id ?? "")),
  }),
  read({
    id: "listEventDeliveries",
    keyScope: "events:read",
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
    keyScope: "events:write",
    path: "/deliveries/:id/resend",
    tag: "Events",
    summary: "Retry a delivery",
    description:
      "Sends the delivery now, whatever its state, and then follows the retry schedule. Event id and body bytes do not change.",
    extension: true,
    body: nothingBody,
    bodyOptional: true,
    idempotencyKey: "optional",
    worksWhileSuspended: true,
    answers: { 202: { schema: deliveryResource, meaning: "The delivery, due now." } },
    errors: ["not_found"],
    present: presentDelivery,
    verb: ({ context, params }, sealing) => resendDelivery(context, params.id ?? "", sealing),
  }),
];
