import { expect, it } from "vitest";
import { eventMessage, messageHeaders } from "@/server/contract/event-messages";
import { EVENT_CATALOGUE_BODY } from "@/server/contract/events";
import { envelopeText } from "@/server/domain/event-envelope";
import { EXAMPLE_HEADERS, exampleBody } from "./example-message";

it.each(EVENT_CATALOGUE_BODY.events)("the example of $event is a message of the contract", ({ event, payload }) => {
  const body = exampleBody(event, "live", payload);
  expect(eventMessage(event).parse(body)).toEqual(body);
  expect(messageHeaders.parse(EXAMPLE_HEADERS)).toEqual(EXAMPLE_HEADERS);
  expect(EXAMPLE_HEADERS["webhook-id"]).toBe(body.id);
});

it("has the members of a sent message, in their order", () => {
  const sent = envelopeText({
    id: "evt_1",
    type: "payout_intent.succeeded",
    at: new Date(),
    environment: "live",
    intentId: "word_1",
    status: "succeeded",
    failure: null,
  });
  expect(Object.keys(exampleBody("payout_intent.succeeded", "live", {}))).toEqual(
    Object.keys(JSON.parse(sent) as object),
  );
});
