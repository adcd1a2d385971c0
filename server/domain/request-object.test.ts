import { expect, it } from "vitest";
import { objectOfRequest } from "./request-object";

const ID = "dord_01h455vb4pex5vsknk084sn02q";
const OTHER = "word_01h455vb4pex5vsknk084sn02q";

it.each([
  ["a create: what the answer shows", "/payment_intents", "/v1/payment_intents?x=/a", 201, { id: ID }, ID],
  ["a read: what the address names", "/payment_intents/:id", `/v1/payment_intents/${ID}`, 200, { id: ID }, ID],
  [
    "an act on it: what the address names",
    "/payout_intents/:id/cancel",
    `/v1/payout_intents/${OTHER}/cancel`,
    200,
    { id: ID },
    OTHER,
  ],
  [
    "a rejected act on it",
    "/payout_intents/:id/cancel",
    `/v1/payout_intents/${OTHER}/cancel`,
    409,
    { error: {} },
    OTHER,
  ],
  ["nothing that is not there", "/payout_intents/:id", `/v1/payout_intents/${OTHER}`, 404, { error: {} }, null],
  ["a rejected create", "/payment_intents", "/v1/payment_intents?x=/a", 400, { id: ID, error: {} }, null],
  ["a list", "/payment_intents", "/v1/payment_intents?x=/a", 200, { data: [{ id: ID }] }, null],
  ["a malformed id", "/payout_intents/:id", "/v1/payout_intents/x%2Fy", 409, {}, null],
  ["an answer that was too long to parse", "/payment_intents", "/v1/payment_intents?x=/a", 200, undefined, null],
  ["an id that is no text", "/x", "/v1/x", 200, { id: 7 }, null],
  ["an unknown path", "", "/v1/nowhere", 404, {}, null],
] as const)("%s", (_, route, path, status, answer, id) => {
  expect(objectOfRequest({ route, path, status, answer })).toBe(id);
});
