// Receives providers' callbacks: verifies, stores and acknowledges them. The worker then tries each until it has a
// result.
import {
  claimDueCallbacksAcrossMerchants,
  finishCallbackAcrossMerchants,
  postponeCallbackAcrossMerchants,
  type StoredCallback,
  setCallbackAsideAcrossMerchants,
} from "@/server/db/callbacks";
import type { MerchantFence } from "@/server/db/merchant-fences";
import { callbackName, retryDelayMs, unappliedCallbackException } from "@/server/domain/callback";
import { ServiceError } from "@/server/domain/errors";
import { now } from "@/server/platform/clock";
import { log } from "@/server/platform/log";
import { counter } from "@/server/platform/metrics/instruments";
import { withinMerchant } from "@/server/platform/reach";
import { callbackReceiver } from "@/server/psp/registry";
import { listFences } from "../cells/moved";
import { handOver } from "./hand-over";
import { ownerOf } from "./owner";
import { storeCallback } from "./store";
import { type CallbackTry, type LocatedReading, readCallback, tryCallback } from "./try";

const countCallback = counter({
  name: "sluice_callbacks_total",
  help: "Callbacks: received and rejected (by the signature) at the API; applied, ignored or put aside by a worker.",
  labelNames: ["provider", "result"],
});

/**
 * Verifies and stores a callback; a duplicate is acknowledged like the first. Another body under a known id is a
 * separate report. Throws not_found, unauthorized, and idempotency_conflict for too many bodies under one id.
 */
export async function receiveCallback(provider: string, headers: Pick<Headers, "get">, rawBody: string): Promise<void> {
  const receiver = callbackReceiver(provider);
  if (!receiver) throw new ServiceError("not_found", "The requested resource does not exist.");
  const verified = receiver.verifyCallback(headers, rawBody, now());
  countCallback({ provider, result: verified ? "received" : "rejected" });
  if (!verified) throw new ServiceError("unauthorized", "The callback's signature does not verify.");
  await storeCallback({ provider, callbackId: verified.callbackId }, receiver.storedBody?.(rawBody) ?? rawBody);
}

interface ReadCallback {
  readonly callback: StoredCallback;
  readonly reading: LocatedReading;
}

/**
 * Tries up to `count` due callbacks, claimed for `leaseMs`; returns the number claimed. Callbacks about one intent are
 * applied one by one, in the order of receipt.
 */
export async function applyDueCallbacks(count: number, leaseMs: number): Promise<number> {
  const claimed = await claimDueCallbacksAcrossMerchants(count, leaseMs);
  const read = await Promise.all(
    claimed.map(async (callback) => ({ callback, reading: await readCallback(callback) })),
  );
  const moves = read.length > 0 ? await listFences() : [];
  await Promise.all(bySubject(read).map((group) => applyInTurn(group, moves)));
  return claimed.length;
}

/** Groups callbacks by the reference they name, each group in order of receipt. */
function bySubject(all: readonly ReadCallback[]): ReadCallback[][] {
  const groups = new Map<string, ReadCallback[]>();
  const inOrder = [...all].sort((a, b) => a.callback.receivedAt.getTime() - b.callback.receivedAt.getTime());
  for (const one of inOrder) {
    const subject = one.reading.reference ?? callbackName(one.callback);
    groups.set(subject, [...(groups.get(subject) ?? []), one]);
  }
  return [...groups.values()];
}

/** If the database is away, the result is not recorded; the claim expires and the callback is retried. */
async function applyInTurn(group: readonly ReadCallback[], moves: readonly MerchantFence[]): Promise<void> {
  for (const { callback, reading } of group) {
    try {
      if (await handOver(callback, reading, moves)) continue;
      const { merchantId } = reading;
      const attempt = () => tryCallback(callback, reading);
      await conclude(callback, await (merchantId === null ? attempt() : withinMerchant(merchantId, attempt)));
    } catch (error) {
      log().error({ err: error, callback: callbackName(callback) }, "an attempt to apply a callback was not recorded");
    }
  }
}

async function conclude(callback: StoredCallback, tried: CallbackTry): Promise<void> {
  if (!("why" in tried)) {
    await finishCallbackAcrossMerchants(callback, tried.result);
    countCallback({ provider: callback.provider, result: tried.result });
    return;
  }
  const { result, why, reference, intentId } = tried;
  const delayMs = retryDelayMs(result, callback.attempts);
  if (delayMs !== null) {
    await postponeCallbackAcrossMerchants(callback, delayMs);
    return;
  }
  const fact = unappliedCallbackException(callback, { reason: result, reference, intentId, why });
  const scope = await ownerOf(callback.provider, tried);
  if (await setCallbackAsideAcrossMerchants(callback, result, { ...fact, scope }, now())) {
    countCallback({ provider: callback.provider, result });
    log().error({ callback: callbackName(callback), reason: result, why }, "a callback requires an operator");
  }
}
