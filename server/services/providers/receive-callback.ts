// Owns providers' callbacks: verified, stored as they came, acknowledged; applied by the worker, in any order.
import {
  claimDueCallbacksAcrossMerchants,
  finishCallbackAcrossMerchants,
  type StoredCallback,
  storeCallbackAcrossMerchants,
} from "@/server/db/callbacks";
import { ServiceError } from "@/server/domain/errors";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { callbackReceiver } from "@/server/psp/registry";
import { applyNews, findAnyIntent } from "./apply-news";

/** Verifies and stores a callback; a duplicate is acknowledged like the first. Throws not_found and unauthorized. */
export async function receiveCallback(provider: string, headers: Pick<Headers, "get">, rawBody: string): Promise<void> {
  const receiver = callbackReceiver(provider);
  if (!receiver) throw new ServiceError("not_found", "The requested resource does not exist.");
  const verified = receiver.verifyCallback(headers, rawBody, now());
  if (!verified) throw new ServiceError("unauthorized", "The callback's signature does not verify.");
  await storeCallbackAcrossMerchants(provider, verified.callbackId, rawBody);
}

/** Applies up to `count` stored callbacks; returns how many were taken. One that fails is tried again later. */
export async function applyDueCallbacks(count: number, leaseMs: number): Promise<number> {
  const callbacks = await claimDueCallbacksAcrossMerchants(count, leaseMs);
  await Promise.all(
    callbacks.map(async (callback) => {
      try {
        const result = await applyCallback(callback);
        await finishCallbackAcrossMerchants(callback.provider, callback.callbackId, result);
      } catch (error) {
        log().error(
          { err: error, provider: callback.provider, callbackId: callback.callbackId },
          "a callback was not applied",
        );
      }
    }),
  );
  return callbacks.length;
}

/** A provider speaks only for intents that were given to it, now or earlier; everything else is kept and reported. */
async function applyCallback({ provider, callbackId, body }: StoredCallback): Promise<string> {
  const news = callbackReceiver(provider)?.readCallback(body);
  if (!news) return "unreadable";
  const subject = await findAnyIntent(news.merchantId, news.reference);
  if (!subject?.intent.routing.order.includes(provider)) {
    log().warn({ provider, callbackId }, "a callback names no intent of this provider");
    return "unmatched";
  }
  const { merchantId, environment } = subject.intent;
  const actor = { type: "provider", id: provider } as const;
  const context = { scope: { merchantId, environment }, actor, requestId: null, address: null };
  const { hadEffect } = await applyNews(context, subject, news.outcomes, provider);
  return hadEffect ? "applied" : "ignored";
}
