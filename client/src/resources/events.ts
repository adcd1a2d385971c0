// Events, their deliveries, and the endpoints that receive them.
import type { Answer, Body, Query } from "../operation.js";
import { List, withCursor } from "../pages.js";
import { path, type ReadOptions, type Send, type WriteOptions } from "../transport.js";

/** What happened, whether or not an endpoint received it. */
export function events(send: Send) {
  return {
    get: (id: string, options?: ReadOptions) => send<Answer<"getEvent">>("GET", path`/events/${id}`, options),
    list: (query?: Query<"listEvents">, options?: ReadOptions) =>
      new List((cursor) =>
        send<Answer<"listEvents">>("GET", "/events", { query: withCursor(query, cursor), ...options }),
      ),
    /** The catalogue of event types. */
    types: (options?: ReadOptions) => send<Answer<"listWebhookEvents">>("GET", "/webhook_events", options),
    /** The deliveries of an event, with their attempts. */
    deliveries: (id: string, query?: Query<"listEventDeliveries">, options?: ReadOptions) =>
      new List((cursor) =>
        send<Answer<"listEventDeliveries">>("GET", path`/events/${id}/deliveries`, {
          query: withCursor(query, cursor),
          ...options,
        }),
      ),
    /** Sends a delivery once more now; `id` is the delivery's. */
    resend: (id: string, options?: WriteOptions) =>
      send<Answer<"resendDelivery">>("POST", path`/deliveries/${id}/resend`, { body: {}, ...options }),
  };
}

/** The URLs that receive events. */
export function webhookEndpoints(send: Send) {
  return {
    /** The answer has the secret, this once. */
    create: (body: Body<"createWebhookEndpoint">, options?: WriteOptions) =>
      send<Answer<"createWebhookEndpoint">>("POST", "/webhook_endpoints", { body, ...options }),
    get: (id: string, options?: ReadOptions) =>
      send<Answer<"getWebhookEndpoint">>("GET", path`/webhook_endpoints/${id}`, options),
    list: (query?: Query<"listWebhookEndpoints">, options?: ReadOptions) =>
      new List((cursor) =>
        send<Answer<"listWebhookEndpoints">>("GET", "/webhook_endpoints", {
          query: withCursor(query, cursor),
          ...options,
        }),
      ),
    update: (id: string, body: Body<"updateWebhookEndpoint">, options?: WriteOptions) =>
      send<Answer<"updateWebhookEndpoint">>("PATCH", path`/webhook_endpoints/${id}`, { body, ...options }),
    delete: (id: string, options?: WriteOptions) =>
      send<Answer<"deleteWebhookEndpoint">>("DELETE", path`/webhook_endpoints/${id}`, options),
    /** The former secret signs beside the new one for 24 hours. */
    rotateSecret: (id: string, options?: WriteOptions) =>
      send<Answer<"rotateWebhookSecret">>("POST", path`/webhook_endpoints/${id}/rotate_secret`, {
        body: {},
        ...options,
      }),
    /** Sends an example now and returns the result. */
    test: (id: string, body: Body<"testWebhookEndpoint"> = {}, options?: WriteOptions) =>
      send<Answer<"testWebhookEndpoint">>("POST", path`/webhook_endpoints/${id}/test`, { body, ...options }),
    /** Sends every event since a time that this endpoint has not accepted. */
    replay: (id: string, body: Body<"replayToWebhookEndpoint">, options?: WriteOptions) =>
      send<Answer<"replayToWebhookEndpoint">>("POST", path`/webhook_endpoints/${id}/replay`, { body, ...options }),
  };
}
