// The wire form of webhook messages (interface §6): one message per event type, and its headers.
import { z } from "zod";
import { EVENT_CATALOGUE, type EventType } from "@/server/domain/events";
import { FAILURE_CODES } from "@/server/domain/transition";
import { finalStatusOf } from "./events";
import { environment, timestamp } from "./fields";

/** Builds the schema around an event's data, with its members in the order of sending. */
export function envelope<Type extends z.ZodType, Data extends z.ZodType>(type: Type, data: Data) {
  return {
    id: z
      .string()
      .regex(/^evt_/)
      .meta({ description: "The same at every attempt and replay. Also sent in the header `webhook-id`." }),
    type,
    timestamp: timestamp.meta({ description: "The time of the event." }),
    environment,
    api_version: z.string().meta({ description: "The version of the API that wrote it." }),
    data,
  };
}

const ID_PREFIX = { payment_intent: /^dord_/, payout_intent: /^word_/ };

/** Exactly the four members of the catalog; the reason is missing if a person gave none. */
function dataOf(event: EventType) {
  const { intent, failure } = EVENT_CATALOGUE[event];
  return z.strictObject({
    [`${intent}_id`]: z.string().regex(ID_PREFIX[intent]).meta({ description: "The intent that has ended." }),
    status: z.literal(finalStatusOf(event)).meta({ description: "Its final status." }),
    failure_code: (failure === null ? z.null() : z.enum(FAILURE_CODES)).meta({
      description: "Why it did not succeed.",
    }),
    failure_message: (failure === null ? z.null() : z.string().nullable()).meta({
      description: "The same for people.",
    }),
  });
}

/** Converts "payment_intent.succeeded" to "PaymentIntentSucceeded". */
export function eventName(event: EventType): string {
  return event.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the schema of the body posted for this event type. The envelope may get new members, its data none. */
export function eventMessage(event: EventType) {
  return z
    .looseObject(
      envelope(
        z.literal(event).meta({ description: "The type of the event." }),
        dataOf(event).meta({ description: "Exactly these members." }),
      ),
    )
    .meta({ id: `${eventName(event)}Event`, description: EVENT_CATALOGUE[event].description });
}

/** Returns that schema as a JSON schema of its own, without references. */
export function messageSchema(event: EventType): Readonly<Record<string, unknown>> {
  const { $schema, $defs = {} } = z.toJSONSchema(eventMessage(event));
  return { $schema, ...$defs[`${eventName(event)}Event`] };
}

/** Headers of Standard Webhooks 1.0, and the one that marks a test. Each appears once in the OpenAPI document. */
export const messageHeaders = z.object({
  "webhook-id": z
    .string()
    .regex(/^evt_/)
    .meta({
      param: {
        id: "WebhookId",
        description: "The event's id, the same at every attempt and replay. Store it to detect duplicates.",
      },
    }),
  "webhook-timestamp": z
    .string()
    .regex(/^[0-9]+$/)
    .meta({
      param: {
        id: "WebhookTimestamp",
        description: "The time of this attempt, in Unix seconds. Reject messages that are older than five minutes.",
      },
    }),
  "webhook-signature": z
    .string()
    .regex(/^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$/)
    .meta({
      param: {
        id: "WebhookSignature",
        description:
          "HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` in base64, one for each active secret, " +
          "separated by spaces. One match is enough.",
      },
    }),
  "webhook-test": z
    .literal("true")
    .optional()
    .meta({ param: { id: "WebhookTest", description: "Present only on test events." } }),
});
