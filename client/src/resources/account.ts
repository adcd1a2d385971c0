// What belongs to the merchant's account: balances, payment methods, the API log and, with test keys, the sandbox.
import type { Answer, Body, Query } from "../operation.js";
import { List, withCursor } from "../pages.js";
import { path, type ReadOptions, type Send, type WriteOptions } from "../transport.js";
import type { PaymentIntent, PayoutIntent, TopupIntent } from "./intents.js";

/** Balances per currency. */
export function wallets(send: Send) {
  return {
    list: async (options?: ReadOptions) => (await send<Answer<"listWallets">>("GET", "/wallets", options)).data,
  };
}

/** The payment methods that this merchant can use. */
export function paymentMethods(send: Send) {
  return {
    list: async (options?: ReadOptions) =>
      (await send<Answer<"listPaymentMethods">>("GET", "/payment_methods", options)).data,
  };
}

/** The calls that the merchant's keys have made in this environment. */
export function apiLogs(send: Send) {
  return {
    /** One call, with its redacted bodies; `id` is the `Request-Id` of its answer. */
    get: (id: string, options?: ReadOptions) => send<Answer<"getApiLog">>("GET", path`/api_logs/${id}`, options),
    /** Newest first. A page may be empty although another one follows. */
    list: (query?: Query<"listApiLogs">, options?: ReadOptions) =>
      new List((cursor) =>
        send<Answer<"listApiLogs">>("GET", "/api_logs", { query: withCursor(query, cursor), ...options }),
      ),
  };
}

/** Plays the customer and the provider; test keys only. */
export function sandbox(send: Send) {
  return {
    /** Makes an intent of any kind end, or go on, as the outcome says. Returns the intent. */
    simulate: <Intent extends PaymentIntent | PayoutIntent | TopupIntent>(
      body: Body<"simulate">,
      options?: WriteOptions,
    ) => send<Intent>("POST", "/sandbox/simulate", { body, ...options }),
    clock: (options?: ReadOptions) => send<Answer<"getSandboxClock">>("GET", "/sandbox/clock", options),
    advanceClock: (body: Body<"advanceSandboxClock">, options?: WriteOptions) =>
      send<Answer<"advanceSandboxClock">>("POST", "/sandbox/clock", { body, ...options }),
  };
}
