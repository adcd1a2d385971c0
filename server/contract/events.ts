import { z } from "zod";
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from "@/server/domain/events";
import { failureMembers } from "./fields";

const FINAL_STATUSES = ["succeeded", "failed", "expired", "cancelled"] as const;

/** The final status that events of this type announce: the second part of its name. */
export function finalStatusOf(event: EventType): (typeof FINAL_STATUSES)[number] {
  return z.enum(FINAL_STATUSES).parse(event.slice(event.indexOf(".") + 1));
}

export const eventPayload = z.object({
  payment_intent_id: z.string().optional().meta({ description: "The payment intent; absent in events of payouts." }),
  payout_intent_id: z.string().optional().meta({ description: "The payout intent; absent in events of payments." }),
  status: z.enum(FINAL_STATUSES).meta({ description: "The final status that the event announces." }),
  ...failureMembers,
});

export const eventCatalogue = z
  .object({
    events: z
      .array(
        z.object({
          event: z.enum(EVENT_TYPES as [EventType, ...EventType[]]).meta({ description: "The type of the event." }),
          description: z.string().meta({ description: "What it means." }),
          payload: eventPayload.meta({ description: "An example of the event's `data`." }),
        }),
      )
      .meta({ description: "All types; there are no others." }),
  })
  .meta({ id: "EventCatalogue" });

const EXAMPLE_IDS = {
  payment_intent: { payment_intent_id: "dord_01h455vb4pex5vsknk084sn02q" },
  payout_intent: { payout_intent_id: "word_01h455vb4pex5vsknk084sn02q" },
};

/** The static catalog of all events, each with an example of its payload. */
export const EVENT_CATALOGUE_BODY: z.infer<typeof eventCatalogue> = {
  events: EVENT_TYPES.map((event) => {
    const { description, intent, failure } = EVENT_CATALOGUE[event];
    return {
      event,
      description,
      payload: {
        ...EXAMPLE_IDS[intent],
        status: finalStatusOf(event),
        failure_code: failure?.code ?? null,
        failure_message: failure?.message ?? null,
      },
    };
  }),
};
