import { expect, it } from "vitest";
import { ERROR_STATUS, type ErrorCode } from "@/server/domain/errors";
import { errorBody, errorEnvelope } from "./errors";
import { EVENT_CATALOGUE_BODY, eventCatalogue } from "./events";

it("every code fits the envelope, which has exactly two members", () => {
  for (const code of Object.keys(ERROR_STATUS) as ErrorCode[]) {
    const body = errorBody(code, "why");
    expect(body).toEqual({ error: { code, message: "why" } });
    expect(errorEnvelope.parse(body)).toEqual(body);
  }
  expect(errorEnvelope.safeParse({ error: { code: "teapot", message: "" } }).success).toBe(false);
});

it("the catalog has six events, each with an example of exactly its four fields", () => {
  expect(eventCatalogue.parse(EVENT_CATALOGUE_BODY)).toEqual(EVENT_CATALOGUE_BODY);
  expect(EVENT_CATALOGUE_BODY.events).toHaveLength(6);
  for (const { event, description, payload } of EVENT_CATALOGUE_BODY.events) {
    const [intent, status] = event.split(".");
    expect(Object.keys(payload)).toEqual([`${intent}_id`, "status", "failure_code", "failure_message"]);
    expect(payload.status).toBe(status);
    expect((payload.failure_code === null) === (status === "succeeded")).toBe(true);
    expect(description).not.toBe("");
  }
});
