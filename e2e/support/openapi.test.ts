// Tests that an answer with anything undocumented is detected.
import { describe, expect, it } from "vitest";
import { createAnswerValidator, type OpenApiDocument, type ReceivedAnswer } from "./openapi";

const coin = {
  type: "object",
  required: ["id", "made_at"],
  properties: { id: { type: "string", pattern: "^coin_" }, made_at: { type: "string", format: "date-time" } },
};
const json = (schema: object) => ({ content: { "application/json": { schema } } });

const WEIGHING = { Scale: { $ref: "#/components/headers/Scale" } };

const DOCUMENT: OpenApiDocument = {
  paths: {
    "/coins": {
      post: {
        responses: {
          201: json({ $ref: "#/components/schemas/Coin" }),
          400: json({ $ref: "#/components/schemas/Error" }),
        },
      },
      get: { responses: { 200: json({ type: "array", items: { $ref: "#/components/schemas/Coin" } }), 304: {} } },
    },
    "/coins/{id}": { get: { responses: { 200: json({ $ref: "#/components/schemas/Coin" }) } } },
    "/coins/{id}/weight": {
      get: {
        responses: {
          200: { headers: WEIGHING, ...json({ type: "number" }) },
          404: { $ref: "#/components/responses/Lost" },
        },
      },
    },
    "/coins/newest": { get: { responses: { 200: json({ type: "null" }) } } },
  },
  components: {
    schemas: { Coin: coin, Error: { type: "object" } },
    headers: {
      Scale: { required: true, schema: { type: "string", pattern: "^s" } },
      Wait: { schema: { type: "integer" } },
    },
    responses: { Lost: { headers: { Wait: { $ref: "#/components/headers/Wait" } }, ...json({ type: "object" }) } },
  },
};

const validate = createAnswerValidator(DOCUMENT);
const COIN = { id: "coin_1", made_at: "2026-11-21T09:30:00.000Z" };
const REFUSAL = { error: { code: "not_found", message: "There is no such coin." } };

function answer(line: string, body: unknown, changes: Partial<ReceivedAnswer> = {}): () => void {
  const [method = "", path = "", status = ""] = line.split(" ");
  const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return () => validate({ method, path, status: Number(status), headers, text, ...changes });
}

describe("what the document describes passes", () => {
  it.each([
    ["POST /coins 201", COIN],
    ["POST /coins?extra=1 201", COIN],
    ["POST /coins 400", REFUSAL],
    ["GET /coins/coin_1 200", COIN],
    ["GET /coins 200", [COIN, COIN]],
    ["GET /coins 304", ""],
    ["HEAD /coins 200", ""],
  ])("%s", (line, body) => expect(answer(line, body)).not.toThrow());

  it("a fixed path takes precedence over a template that matches it too", () => {
    expect(answer("GET /coins/newest 200", null)).not.toThrow();
    expect(answer("GET /coins/newest 200", COIN)).toThrow(/null/);
  });
});

describe("what it does not describe throws", () => {
  it.each([
    ["an undocumented status", "POST /coins 202", COIN, /does not list this status/],
    ["a missing member", "POST /coins 201", { id: "coin_1" }, /made_at/],
    ["an additional member", "POST /coins 201", { ...COIN, secret: 1 }, /additional properties/],
    ["a wrong pattern", "GET /coins/1 200", { ...COIN, id: "1" }, /pattern/],
    ["a wrong format", "POST /coins 201", { ...COIN, made_at: "yesterday" }, /format/],
    ["a fault deep in a list", "GET /coins 200", [COIN, { ...COIN, id: 7 }], /\/1\/id/],
    ["a body that is not JSON", "POST /coins 201", "<html>", /not JSON/],
    ["a body where there is none", "GET /coins 304", COIN, /no body/],
    ["an error outside the envelope", "POST /coins 400", { code: "validation_failed" }, /error/],
    [
      "an error with more than two members",
      "POST /coins 400",
      { error: { ...REFUSAL.error, path: "a" } },
      /path|addit/,
    ],
    [
      "an error that only the document allows",
      "POST /coins 400",
      { error: { code: "", message: "x" } },
      /fewer than 1/,
    ],
  ])("%s", (_what, line, body, message) => expect(answer(line, body)).toThrow(message));

  it("another media type, for success and error alike", () => {
    const headers = new Headers({ "content-type": "text/plain" });
    expect(answer("POST /coins 201", COIN, { headers })).toThrow(/text\/plain/);
    expect(answer("POST /coins 400", REFUSAL, { headers })).toThrow(/text\/plain/);
    expect(answer("POST /coins 201", COIN, { headers: new Headers() })).toThrow(/type ""/);
  });
});

describe("headers", () => {
  const JSON_TYPE = { "content-type": "application/json" };
  const weigh = (status: number, headers: Readonly<Record<string, string>>) =>
    answer(`GET /coins/a/weight ${status}`, status === 200 ? 5 : REFUSAL, {
      headers: new Headers({ ...JSON_TYPE, ...headers }),
    });

  it("pass as documented, also those of a shared answer, and those that no answer documents", () => {
    expect(weigh(200, { scale: "s1", date: "today" })).not.toThrow();
    expect(weigh(404, {})).not.toThrow();
    expect(weigh(404, { wait: "3" })).not.toThrow();
  });

  it("throw if one is missing, has another value, or is documented for other answers only", () => {
    expect(weigh(200, {})).toThrow(/scale is missing/);
    expect(weigh(200, { scale: "t" })).toThrow(/scale is not as documented: t/);
    expect(weigh(404, { wait: "soon" })).toThrow(/wait is not as documented: soon/);
    expect(weigh(200, { scale: "s1", wait: "3" })).toThrow(/does not list the header wait/);
  });
});

describe("requests without an operation", () => {
  it("are rejected in the envelope: 404 for the path, 405 for the method", () => {
    expect(answer("GET /nothing 404", REFUSAL)).not.toThrow();
    expect(answer("DELETE /coins 405", REFUSAL)).not.toThrow();
    expect(answer("GET /coins/a/b 401", REFUSAL)).not.toThrow();
  });

  it("never succeed, and never with the other rejection", () => {
    expect(answer("GET /nothing 200", COIN)).toThrow(/no operation/);
    expect(answer("GET /nothing 405", REFUSAL)).toThrow(/no operation/);
    expect(answer("DELETE /coins 404", REFUSAL)).toThrow(/no operation/);
    expect(answer("GET /nothing 404", "gone")).toThrow(/not JSON/);
  });
});

it("a schema with a keyword unknown to JSON Schema is rejected, because it would check nothing", () => {
  const misspelt = { paths: { "/a": { get: { responses: { 200: json({ type: "object", requierd: ["id"] }) } } } } };
  const check = createAnswerValidator(misspelt);
  const headers = new Headers({ "content-type": "application/json" });
  expect(() => check({ method: "GET", path: "/a", status: 200, headers, text: "{}" })).toThrow(/requierd/);
});
