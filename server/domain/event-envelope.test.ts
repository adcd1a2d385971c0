import { expect, it } from "vitest";
import { envelopeText } from "./event-envelope";

const AT = new Date("2026-11-21T09:30:00.120Z");

it("a success has the four fields of the catalogue and nothing more, to the byte", () => {
  const facts = { id: "evt_1", type: "payment_intent.succeeded", at: AT, environment: "live" } as const;
  expect(envelopeText({ ...facts, intentId: "dord_1", status: "succeeded", failure: null })).toBe(
    '{"id":"evt_1","type":"payment_intent.succeeded","timestamp":"2026-11-21T09:30:00.120Z","environment":"live",' +
      '"api_version":"2026-11-01","data":{"payment_intent_id":"dord_1","status":"succeeded","failure_code":null,' +
      '"failure_message":null}}',
  );
});

it("a cancellation carries its reason, whatever is written in it", () => {
  const message = 'twice "1"\n\u2028é';
  const text = envelopeText({
    id: "evt_2",
    type: "payout_intent.cancelled",
    at: AT,
    environment: "test",
    intentId: "word_1",
    status: "cancelled",
    failure: { code: "cancelled", message },
  });
  expect(JSON.parse(text)).toHaveProperty("data", {
    payout_intent_id: "word_1",
    status: "cancelled",
    failure_code: "cancelled",
    failure_message: message,
  });
});
