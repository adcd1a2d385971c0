import { z } from "zod";
import { EVENT_CATALOGUE, EVENT_TYPES, type EventType } from "@/server/domain/events";

export const eventPayload = z.object({
  payment_intent_id: z.string().optional(),
  payout_intent_id: z.string().optional(),
  status: z.string(),
  failure_code: z.string().nullable(),
  failure_message: z.string().nullable(),
});

export const eventCatalogue = z
  .object({
    events: z.array(
      z.object({
        event: z.enum(EVENT_TYPES as [EventType, ...EventType[]]),
        description: z.string(),
        payload: eventPayload,
      }),
    ),
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
        status: event.slice(event.indexOf(".") + 1),
        failure_code: failure?.code ?? null,
        failure_message: failure?.message ?? null,
      },
    };
  }),
};
