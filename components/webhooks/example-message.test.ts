import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, it } from "vitest";
import { eventMessage, messageHeaders, messageSchema } from "@/server/contract/event-messages";
import { EVENT_CATALOGUE_BODY } from "@/server/contract/events";
import { envelopeText } from "@/server/domain/event-envelope";
import { EXAMPLE_HEADERS, exampleBody } from "./example-message";

it.each(EVENT_CATALOGUE_BODY.events)("the example of $event is a message of the contract", ({ event, payload }) => {
  const body = exampleBody(event, "live", payload);
  expect(eventMessage(event).parse(body)).toEqual(body);
  expect(messageHeaders.parse(EXAMPLE_HEADERS)).toEqual(EXAMPLE_HEADERS);
  expect(EXAMPLE_HEADERS["webhook-id"]).toBe(body.id);
});

it.each(EVENT_CATALOGUE_BODY.events)(
  "the example of $event is valid by its JSON schema, and another one is not",
  ({ event, payload }) => {
    const ajv = new Ajv({ strict: true, allErrors: true });
    addFormats(ajv);
    const validate = ajv.compile(messageSchema(event));
    expect(JSON.stringify(messageSchema(event))).not.toContain("$ref");
    const body = exampleBody(event, "live", payload);
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...body, data: { ...payload, more: 1 } })).toBe(false);
    expect(validate({ ...body, type: "payment_intent.created" })).toBe(false);
  },
);

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
