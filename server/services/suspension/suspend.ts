// Suspends merchants: reads and cancellations work, nothing new is created, approved or sent.
import { readSuspended, updateSuspension } from "@/server/db/suspensions";
import { merchantSuspendedError, notFoundError, validationError } from "@/server/domain/errors";
import { log } from "@/server/platform/log";
import { forgetPauses } from "../dispatch/paused";
import { operatorAct } from "../merchants/operator";
import { forgetMerchantSettings, merchantSettings } from "../merchants/settings";

const LONGEST_REASON = 512;

/**
 * Suspends a merchant in both environments: in this process at once, in others within a second. What was sent before is
 * followed to its end; what waits to be sent waits on. Throws validation_failed for a missing reason or a suspended merchant,
 * and not_found for an unknown one.
 */
export function suspendMerchant(merchantId: string, reason: string): Promise<void> {
  return change(merchantId, true, reason);
}

/** Lifts the suspension; what waited becomes due. Throws as `suspendMerchant`, for a merchant that is not suspended. */
export function resumeMerchant(merchantId: string, reason: string): Promise<void> {
  return change(merchantId, false, reason);
}

async function change(merchantId: string, isSuspended: boolean, given: string): Promise<void> {
  const reason = given.trim();
  if (reason === "" || [...reason].length > LONGEST_REASON)
    throw validationError("reason", `must have 1 to ${LONGEST_REASON} characters`);
  const result = await updateSuspension(merchantId, { isSuspended, reason }, operatorAct());
  if (result === "unknown") throw notFoundError();
  if (result === "unchanged")
    throw validationError("merchant", isSuspended ? "is suspended already" : "is not suspended");
  forgetMerchantSettings(merchantId);
  forgetPauses();
  log().warn({ merchantId, reason }, isSuspended ? "a merchant was suspended" : "a merchant was resumed");
}

/** Reads past the cache of settings: an open page asks as soon as it hears of the change, and not again. */
export function isMerchantSuspended(merchantId: string): Promise<boolean> {
  return readSuspended(merchantId);
}

/** Throws merchant_suspended while the merchant is suspended. */
export async function requireActiveMerchant(merchantId: string): Promise<void> {
  if ((await merchantSettings(merchantId)).isSuspended) throw merchantSuspendedError();
}
