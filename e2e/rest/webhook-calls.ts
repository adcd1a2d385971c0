// Calls about webhooks that specs make as preparation: endpoints, ended payments, deliveries and their attempts.
import type { DeliveryResource, EndpointResource, EventResource } from "@/server/contract/webhooks";
import type { Answer, Api, CallOptions } from "../support/api";
import { expect } from "../support/fixtures";
import { bodyOf, createPayment, simulate } from "./calls";

export type EndpointWithSecret = EndpointResource & { readonly secret: string };

export const ENDPOINTS = "/webhook_endpoints";

/** An address that can be saved and that these specs never send to. */
export const PUBLIC_URL = "https://93.184.215.14/hooks";

export async function createEndpoint(api: Api, url: string, more: object = {}): Promise<EndpointWithSecret> {
  return bodyOf<EndpointWithSecret>(await api.post(ENDPOINTS, { url, ...more }), 201);
}

/** PATCH with a JSON body. */
export function patch(api: Api, path: string, body: object, { headers }: CallOptions = {}): Promise<Answer> {
  const json = { "content-type": "application/json", ...headers };
  return api.send({ method: "PATCH", path, headers: json, body: JSON.stringify(body) });
}

export function remove(api: Api, path: string, { headers = {} }: CallOptions = {}): Promise<Answer> {
  return api.send({ method: "DELETE", path, headers });
}

/** Creates a payment that ends and returns its event. */
export async function endedPayment(api: Api, outcome = "succeeded"): Promise<EventResource> {
  const { id } = await createPayment(api);
  await simulate(api, id, outcome);
  const { data } = bodyOf<{ data: EventResource[] }>(await api.get(`/events?intent_id=${id}`), 200);
  return data[0] as EventResource;
}

export async function deliveriesOf(api: Api, eventId: string): Promise<DeliveryResource[]> {
  return bodyOf<{ data: DeliveryResource[] }>(await api.get(`/events/${eventId}/deliveries`), 200).data;
}

/** Polls the event's one delivery until it satisfies the condition. */
export async function untilDelivery(
  api: Api,
  eventId: string,
  holds: (delivery: DeliveryResource) => boolean,
): Promise<DeliveryResource> {
  let last: DeliveryResource | undefined;
  await expect
    .poll(
      async () => {
        [last] = await deliveriesOf(api, eventId);
        return last !== undefined && holds(last);
      },
      { timeout: 60_000, intervals: [150] },
    )
    .toBe(true);
  return last as DeliveryResource;
}
