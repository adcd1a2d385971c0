// The wire form of webhook endpoints, events and deliveries, extensions of the interface document.
import { z } from "zod";
import {
  DELIVERY_STATES,
  DISABLE_AFTER_HOURS,
  DISABLED_REASONS,
  ENDPOINT_STATES,
  WARNING_HOURS,
} from "@/server/domain/delivery";
import { EVENT_TYPES, type EventType } from "@/server/domain/events";
import { envelope } from "./event-messages";
import { eventPayload } from "./events";
import { environment, idOf, kindOf, object, resourceTimes, text, timestamp } from "./fields";
import { createdBounds, cursor, instant, limit } from "./lists";

const EVENT_TYPE_LIST = EVENT_TYPES as readonly [EventType, ...EventType[]];
const KNOWN = EVENT_TYPES.join(", ");

const url = text(1, 2048).meta({
  description: "An https URL of a public host.",
  examples: ["https://shop.example/hooks"],
});

const eventTypes = z
  .array(z.enum(EVENT_TYPE_LIST, { error: `must be of ${KNOWN}` }), { error: "must be a list of event types, or null" })
  .min(1, { error: "must name at least one event type; null subscribes to all" })
  .max(EVENT_TYPES.length, { error: "must name each event type once" })
  .refine((types) => new Set(types).size === types.length, { error: "must name each event type once" })
  .nullable()
  .meta({
    description: "The event types that the endpoint subscribes to; null means all.",
    examples: [["payment_intent.succeeded"]],
  });

export const createEndpointBody = object({
  url,
  description: text(0, 255).optional().meta({ description: "What it is for, for people." }),
  event_types: eventTypes.optional(),
}).meta({ id: "CreateWebhookEndpoint" });

export const updateEndpointBody = object({
  url: url.optional(),
  description: text(0, 255).optional().meta({ description: "What it is for, for people." }),
  event_types: eventTypes.optional(),
  state: z
    .enum(["enabled", "paused"], { error: "must be enabled or paused" })
    .optional()
    .meta({ description: "`paused` holds deliveries back until it is `enabled` again." }),
}).meta({ id: "UpdateWebhookEndpoint" });

export const nothingBody = object({}).meta({ id: "Nothing" });

const endpointId = z.string().meta({ description: "The endpoint that gets it." });

const endpointShape = {
  object: kindOf("webhook_endpoint"),
  id: idOf("we"),
  environment,
  url: z.string().meta({ description: "The URL that events are posted to." }),
  description: z.string().meta({ description: "What it is for, for people." }),
  event_types: z
    .array(z.enum(EVENT_TYPE_LIST))
    .nullable()
    .meta({ description: "The event types that it gets; null means all." }),
  state: z.enum(ENDPOINT_STATES).meta({
    description: "`paused`: you hold deliveries back. `disabled`: we do, because the receiver is gone or failing.",
  }),
  disabled_reason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .meta({ description: "`gone`: it answered 410. `failing`: it accepted nothing for days. Null unless disabled." }),
  disabled_at: timestamp.nullable().meta({ description: "When it was disabled; null unless it is." }),
  failing_since: timestamp
    .nullable()
    .meta({ description: "The time since which the endpoint has accepted no delivery; null while it accepts them." }),
  warned_hours: z
    .union(WARNING_HOURS.map((hours) => z.literal(hours)))
    .nullable()
    .meta({
      description: `The last warning sent, as hours without an accepted delivery. After ${DISABLE_AFTER_HOURS} hours the endpoint is disabled.`,
    }),
  last_accepted_at: timestamp
    .nullable()
    .meta({ description: "The time of the last accepted delivery, to the minute." }),
  previous_secret_expires_at: timestamp
    .nullable()
    .meta({ description: "The time until which deliveries are also signed with the previous secret." }),
  ...resourceTimes,
};

export const endpointResource = z.object(endpointShape).meta({ id: "WebhookEndpoint" });

export const endpointWithSecret = z
  .object({
    ...endpointShape,
    secret: z
      .string()
      .regex(/^whsec_/)
      .meta({ description: "Shown only once." }),
  })
  .meta({ id: "WebhookEndpointWithSecret" });

export const changedEndpoint = z
  .object({
    ...endpointShape,
    missed: z
      .object({
        deliveries: z.number().int().meta({ description: "Their number." }),
        since: timestamp.meta({ description: "The time of the oldest." }),
      })
      .nullable()
      .meta({
        description: "Deliveries that the endpoint missed while it was disabled. A replay from `since` sends them.",
      }),
  })
  .meta({ id: "ChangedWebhookEndpoint" });

export const deletedEndpoint = z
  .object({
    object: kindOf("webhook_endpoint"),
    id: idOf("we"),
    deleted: z.literal(true).meta({ description: "It is deleted for good." }),
  })
  .meta({ id: "DeletedWebhookEndpoint" });

export const testBody = object({
  type: z
    .enum(EVENT_TYPE_LIST, { error: `must be one of ${KNOWN}` })
    .optional()
    .meta({ description: "The type of the test event; defaults to payment_intent.succeeded." }),
}).meta({ id: "TestWebhookEndpoint" });

const sent = {
  attempted_at: timestamp.meta({ description: "When it was sent." }),
  response_status: z.number().int().nullable().meta({ description: "The HTTP status; null without an answer." }),
  duration_ms: z.number().int().meta({ description: "The time until the answer or the failure." }),
  request_headers: z.record(z.string(), z.string()).meta({ description: "The headers that were sent." }),
  response_body: z.string().meta({ description: "The first 4 KiB of the response body." }),
  error: z.string().nullable().meta({ description: "Why there was no whole answer, in one word; null if there was." }),
  error_detail: z.string().nullable().meta({ description: "The same in more words." }),
};

export const testResource = z
  .object({
    object: kindOf("webhook_test"),
    webhook_endpoint_id: endpointId,
    event_id: z.string().meta({ description: "The id of the test event, which is not stored." }),
    type: z.enum(EVENT_TYPE_LIST).meta({ description: "The type of the test event." }),
    accepted: z.boolean().meta({ description: "True if the receiver answered 2xx." }),
    ...sent,
  })
  .meta({ id: "WebhookTest" });

export const eventResource = z
  .object({
    object: kindOf("event"),
    ...envelope(
      z.enum(EVENT_TYPE_LIST).meta({ description: "The type of the event." }),
      eventPayload.meta({ description: "What endpoints get as `data`." }),
    ),
  })
  .meta({ id: "Event" });

export const deliveryResource = z
  .object({
    object: kindOf("delivery"),
    id: idOf("dlv"),
    environment,
    event_id: z.string().meta({ description: "The event that is delivered." }),
    event_type: z.enum(EVENT_TYPE_LIST).meta({ description: "The type of the event." }),
    webhook_endpoint_id: endpointId,
    state: z.enum(DELIVERY_STATES).meta({
      description:
        "`pending`: it waits for its next attempt. `failed`: the last attempt failed. `skipped`: it is not sent unless replayed.",
    }),
    attempt_count: z.number().int().meta({ description: "The number of attempts so far." }),
    next_attempt_at: timestamp.nullable().meta({ description: "The time of the next attempt; null without one." }),
    created_at: resourceTimes.created_at,
    ended_at: timestamp.nullable().meta({ description: "The time of the last attempt; null while it is pending." }),
    attempts: z
      .array(z.object({ ordinal: z.number().int().meta({ description: "1 for the first attempt." }), ...sent }))
      .meta({ description: "The ten newest attempts, newest first. Attempts are stored for 30 days." }),
  })
  .meta({ id: "Delivery" });

export const replayBody = object({
  since: instant.meta({
    description: "The start of the replay, at most 90 days ago.",
    examples: ["2026-11-20T00:00:00Z"],
  }),
}).meta({ id: "ReplayWebhookEndpoint" });

export const replayResource = z
  .object({
    object: kindOf("webhook_replay"),
    webhook_endpoint_id: endpointId,
    since: timestamp.meta({ description: "The start of the replay." }),
    deliveries: z.number().int().meta({ description: "The number of deliveries that are now due." }),
    has_more: z.boolean().meta({ description: "True if more events remain; call again to send them." }),
  })
  .meta({ id: "WebhookReplay" });

/** A list without filters. */
export const plainListQuery = z.object({ cursor: cursor.optional(), limit: limit.optional() });

export const listEventsQuery = z.object({
  ...plainListQuery.shape,
  ...createdBounds,
  intent_id: text(1, 64).optional().meta({ description: "The payment or payout intent that the event is about." }),
  type: z
    .enum(EVENT_TYPE_LIST, { error: `must be one of ${KNOWN}` })
    .optional()
    .meta({ description: "The type of the events." }),
});

export type EndpointResource = z.infer<typeof endpointResource>;
export type TestResource = z.infer<typeof testResource>;
export type EventResource = z.infer<typeof eventResource>;
export type DeliveryResource = z.infer<typeof deliveryResource>;
export type ReplayResource = z.infer<typeof replayResource>;
