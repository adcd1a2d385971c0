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
import { environment, object, text, timestamp } from "./fields";
import { cursor, instant, limit } from "./lists";

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
  description: text(0, 255).optional(),
  event_types: eventTypes.optional(),
}).meta({ id: "CreateWebhookEndpoint" });

export const updateEndpointBody = object({
  url: url.optional(),
  description: text(0, 255).optional(),
  event_types: eventTypes.optional(),
  state: z.enum(["enabled", "paused"], { error: "must be enabled or paused" }).optional(),
}).meta({ id: "UpdateWebhookEndpoint" });

export const nothingBody = object({}).meta({ id: "Nothing" });

const endpointShape = {
  object: z.literal("webhook_endpoint"),
  id: z.string().regex(/^we_/),
  environment,
  url: z.string(),
  description: z.string(),
  event_types: z.array(z.enum(EVENT_TYPE_LIST)).nullable(),
  state: z.enum(ENDPOINT_STATES),
  disabled_reason: z.enum(DISABLED_REASONS).nullable(),
  disabled_at: timestamp.nullable(),
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
  created_at: timestamp,
  updated_at: timestamp,
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
    missed: z.object({ deliveries: z.number().int(), since: timestamp }).nullable().meta({
      description: "Deliveries that the endpoint missed while it was disabled. A replay from `since` sends them.",
    }),
  })
  .meta({ id: "ChangedWebhookEndpoint" });

export const deletedEndpoint = z
  .object({ object: z.literal("webhook_endpoint"), id: z.string(), deleted: z.literal(true) })
  .meta({ id: "DeletedWebhookEndpoint" });

export const testBody = object({
  type: z
    .enum(EVENT_TYPE_LIST, { error: `must be one of ${KNOWN}` })
    .optional()
    .meta({ description: "Defaults to payment_intent.succeeded." }),
}).meta({ id: "TestWebhookEndpoint" });

const sent = {
  attempted_at: timestamp,
  response_status: z.number().int().nullable(),
  duration_ms: z.number().int(),
  request_headers: z.record(z.string(), z.string()),
  response_body: z.string().meta({ description: "The first 4 KiB of the response body." }),
  error: z.string().nullable(),
  error_detail: z.string().nullable(),
};

export const testResource = z
  .object({
    object: z.literal("webhook_test"),
    webhook_endpoint_id: z.string(),
    event_id: z.string(),
    type: z.enum(EVENT_TYPE_LIST),
    accepted: z.boolean(),
    ...sent,
  })
  .meta({ id: "WebhookTest" });

export const eventResource = z
  .object({ object: z.literal("event"), ...envelope(z.enum(EVENT_TYPE_LIST), eventPayload) })
  .meta({ id: "Event" });

export const deliveryResource = z
  .object({
    object: z.literal("delivery"),
    id: z.string().regex(/^dlv_/),
    environment,
    event_id: z.string(),
    event_type: z.enum(EVENT_TYPE_LIST),
    webhook_endpoint_id: z.string(),
    state: z.enum(DELIVERY_STATES),
    attempt_count: z.number().int(),
    next_attempt_at: timestamp.nullable(),
    created_at: timestamp,
    ended_at: timestamp.nullable(),
    attempts: z
      .array(z.object({ ordinal: z.number().int(), ...sent }))
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
    object: z.literal("webhook_replay"),
    webhook_endpoint_id: z.string(),
    since: timestamp,
    deliveries: z.number().int().meta({ description: "The number of deliveries that are now due." }),
    has_more: z.boolean().meta({ description: "True if more events remain; call again to send them." }),
  })
  .meta({ id: "WebhookReplay" });

/** A list without filters. */
export const plainListQuery = z.object({ cursor: cursor.optional(), limit: limit.optional() });

export const listEventsQuery = z.object({
  ...plainListQuery.shape,
  created_after: instant.optional(),
  created_before: instant.optional(),
  intent_id: text(1, 64).optional().meta({ description: "The payment or payout intent that the event is about." }),
  type: z.enum(EVENT_TYPE_LIST, { error: `must be one of ${KNOWN}` }).optional(),
});

export type EndpointResource = z.infer<typeof endpointResource>;
export type TestResource = z.infer<typeof testResource>;
export type EventResource = z.infer<typeof eventResource>;
export type DeliveryResource = z.infer<typeof deliveryResource>;
export type ReplayResource = z.infer<typeof replayResource>;
