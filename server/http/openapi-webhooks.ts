// The `webhooks` section of the OpenAPI document: what a receiver is sent for each type, and what it may answer.
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi";
import { eventMessage, eventName, messageHeaders } from "@/server/contract/event-messages";
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from "@/server/domain/events";
import type { TAGS } from "./operation";

const TAG: keyof typeof TAGS = "Events";

const HOW =
  "Signed by Standard Webhooks 1.0: verify the raw body before you use it. Delivery is at least once and unordered. " +
  "Respond within 15 seconds. A delivery that is not accepted is attempted up to ten times over about three days.";

const RESPONSES: ZodOpenApiOperationObject["responses"] = {
  "2XX": { description: "Accepted. The response body is ignored, but its first 4 KiB are stored and shown." },
  410: { description: "The receiver no longer exists. The endpoint is disabled." },
  429: {
    description:
      "Too busy. The delivery is retried after `Retry-After`, up to a day; other deliveries wait up to an hour.",
  },
  default: { description: "Not accepted, including redirects. The delivery is retried on schedule." },
};

function describe(event: EventType): ZodOpenApiOperationObject {
  return {
    operationId: `on${eventName(event)}`,
    tags: [TAG],
    summary: EVENT_CATALOGUE[event].description,
    description: HOW,
    // Receivers check the signature instead of credentials.
    security: [],
    requestParams: { header: messageHeaders },
    requestBody: { required: true, content: { "application/json": { schema: eventMessage(event) } } },
    responses: RESPONSES,
  };
}

/** One webhook per type of the closed catalogue (interface §6), under the same name. */
export function webhookDescriptions(): ZodOpenApiPathsObject {
  return Object.fromEntries(EVENT_TYPES.map((event) => [event, { post: describe(event) }]));
}
