// The three kinds of intents. Amounts are minor units.
import type { Answer, Body, Query } from "../operation.js";
import { List, withCursor } from "../pages.js";
import { path, type ReadOptions, type Send, type WriteOptions } from "../transport.js";
import { type WaitOptions, waitFor } from "../waiting.js";

export type PaymentIntent = Answer<"getPaymentIntent">;
export type PayoutIntent = Answer<"getPayoutIntent">;
export type TopupIntent = Answer<"getTopupIntent">;

const FINAL: ReadonlySet<string> = new Set(["succeeded", "failed", "expired", "cancelled"]);
const isFinal = ({ status }: { readonly status: string }) => FINAL.has(status);

/** Payment intents collect money from a customer. */
export function paymentIntents(send: Send) {
  const get = (id: string, options?: ReadOptions) => send<PaymentIntent>("GET", path`/payment_intents/${id}`, options);
  return {
    /** Creates one, or returns the one with the same `merchant_reference`. */
    create: (body: Body<"createPaymentIntent">, options?: WriteOptions) =>
      send<PaymentIntent>("POST", "/payment_intents", { body, ...options }),
    get,
    /** Newest first; all that match, across pages. */
    list: (query?: Query<"listPaymentIntents">, options?: ReadOptions) =>
      new List((cursor) =>
        send<Answer<"listPaymentIntents">>("GET", "/payment_intents", { query: withCursor(query, cursor), ...options }),
      ),
    /** Polls until it has a final status. Throws OutcomePendingError after `withinMs`. */
    wait: (id: string, options?: WaitOptions<PaymentIntent>) => waitFor(() => get(id, options), isFinal, options),
  };
}

/** Payout intents send money to a recipient, behind an approval gate. */
export function payoutIntents(send: Send) {
  const get = (id: string, options?: ReadOptions) => send<PayoutIntent>("GET", path`/payout_intents/${id}`, options);
  return {
    /** Creates one, or returns the one with the same `merchant_reference`. */
    create: (body: Body<"createPayoutIntent">, options?: WriteOptions) =>
      send<PayoutIntent>("POST", "/payout_intents", { body, ...options }),
    get,
    /** Newest first; all that match, across pages. */
    list: (query?: Query<"listPayoutIntents">, options?: ReadOptions) =>
      new List((cursor) =>
        send<Answer<"listPayoutIntents">>("GET", "/payout_intents", { query: withCursor(query, cursor), ...options }),
      ),
    /** Cancels one that awaits approval. Throws SluiceError `approval_required` for any other. */
    cancel: (id: string, body: Body<"cancelPayoutIntent"> = {}, options?: WriteOptions) =>
      send<PayoutIntent>("POST", path`/payout_intents/${id}/cancel`, { body, ...options }),
    /** Polls until it has a final status. Approval can take days: OutcomePendingError after `withinMs` is normal. */
    wait: (id: string, options?: WaitOptions<PayoutIntent>) => waitFor(() => get(id, options), isFinal, options),
  };
}

/** Top-up intents fund the wallet. */
export function topupIntents(send: Send) {
  const get = (id: string, options?: ReadOptions) => send<TopupIntent>("GET", path`/topup_intents/${id}`, options);
  return {
    /** Creates one, or returns the one with the same `merchant_reference`. */
    create: (body: Body<"createTopupIntent">, options?: WriteOptions) =>
      send<TopupIntent>("POST", "/topup_intents", { body, ...options }),
    get,
    /** Newest first; all that match, across pages. */
    list: (query?: Query<"listTopupIntents">, options?: ReadOptions) =>
      new List((cursor) =>
        send<Answer<"listTopupIntents">>("GET", "/topup_intents", { query: withCursor(query, cursor), ...options }),
      ),
    /** Polls until it has a final status. Throws OutcomePendingError after `withinMs`. Top-ups have no events. */
    wait: (id: string, options?: WaitOptions<TopupIntent>) => waitFor(() => get(id, options), isFinal, options),
  };
}
