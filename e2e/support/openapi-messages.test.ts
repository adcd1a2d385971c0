// Tests that a webhook message with anything undocumented is detected.
import { describe, expect, it } from "vitest";
import { createMessageValidator } from "./openapi-messages";

const validate = createMessageValidator({
  paths: {},
  webhooks: {
    "coin.made": {
      post: {
        parameters: [
          { $ref: "#/components/parameters/Id" },
          { name: "webhook-test", in: "header", schema: { const: "true" } },
        ],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/CoinMade" } } } },
      },
    },
  },
  components: {
    parameters: {
      Id: { name: "webhook-id", in: "header", required: true, schema: { type: "string", pattern: "^e_" } },
    },
    schemas: {
      CoinMade: {
        type: "object",
        required: ["type", "data"],
        properties: {
          type: { const: "coin.made" },
          data: { type: "object", required: ["coin_id"], additionalProperties: false, properties: { coin_id: {} } },
        },
      },
    },
  },
});

const HEADERS = { "content-type": "application/json", "webhook-id": "e_1", accept: "*/*" };
const MESSAGE = { type: "coin.made", data: { coin_id: "c" } };
const message = (body: object, headers: object = {}) => ({
  headers: { ...HEADERS, ...headers },
  body: JSON.stringify(body),
});

it("what the document describes passes, and its type is returned", () => {
  expect(validate(message(MESSAGE))).toBe("coin.made");
  expect(validate(message(MESSAGE, { "webhook-test": "true" }))).toBe("coin.made");
});

describe("what it does not describe throws", () => {
  it.each([
    ["a type outside the catalogue", { ...MESSAGE, type: "coin.spent" }, {}, /no such webhook/],
    ["a missing member", { type: "coin.made", data: {} }, {}, /coin_id/],
    ["an additional member of the data", { ...MESSAGE, data: { coin_id: "c", more: 1 } }, {}, /additional properties/],
    ["another media type", MESSAGE, { "content-type": "text/plain" }, /text\/plain/],
    ["a header in another form", MESSAGE, { "webhook-id": "1" }, /webhook-id is not as documented/],
    ["a header that is not documented", MESSAGE, { "webhook-more": "1" }, /webhook-more is not documented/],
  ])("%s", (_what, body, headers, fault) => expect(() => validate(message(body, headers))).toThrow(fault));

  it("a missing header", () => {
    const { "webhook-id": _, ...headers } = HEADERS;
    expect(() => validate({ headers, body: JSON.stringify(MESSAGE) })).toThrow(/webhook-id is missing/);
  });
});
