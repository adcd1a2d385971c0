// An example of a message as an endpoint receives it: three headers, and the event's payload in its envelope.
import { API_VERSION } from "@/server/domain/api-version";

const ID = "evt_01h455vb4pex5vsknk084sn02q";
const AT = new Date("2026-11-21T09:05:00.000Z");

export const EXAMPLE_HEADERS = {
  "webhook-id": ID,
  "webhook-timestamp": String(AT.getTime() / 1_000),
  "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
};

/** The body for an event of the catalog. */
export function exampleBody(event: string, environment: "test" | "live", payload: object) {
  return { id: ID, type: event, timestamp: AT.toISOString(), environment, api_version: API_VERSION, data: payload };
}
