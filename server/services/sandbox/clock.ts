// Reads the clock of a merchant's test environment, and advances it to test waiting without delay.
import { isRefusedBy } from "@/server/db/failures";
import { advanceClock, type MerchantTime, readMerchantTime } from "@/server/db/sandbox-clock";
import { notFoundError, validationError } from "@/server/domain/errors";
import type { CallContext, Scope } from "@/server/domain/scope";
import { type Completed, completionFor, type Idempotency } from "../idempotency/completion";
import { KeyConflict } from "../idempotency/once";
import { forgetMerchantSettings, merchantSettings } from "../merchants/settings";

export type { MerchantTime } from "@/server/db/sandbox-clock";

/** Returns the time in the merchant's test environment. Throws not_found for a live scope and an unknown merchant. */
export async function getSandboxClock(scope: Scope): Promise<MerchantTime> {
  await requireTest(scope);
  return readMerchantTime(scope);
}

/**
 * Advances the clock of the merchant's test environment by whole seconds; work due by then is due now. This process and
 * the worker use the new time at once, other processes within a second. Throws not_found as above, validation_failed
 * beyond 400 days in total.
 */
export async function advanceSandboxClock(
  context: CallContext,
  seconds: number,
  idempotency: Idempotency<MerchantTime>,
): Promise<Completed<MerchantTime>> {
  const { scope } = context;
  const { lease } = idempotency;
  await requireTest(scope);
  const { claim } = lease;
  try {
    const intent = await advanceClock(scope.merchantId, seconds * 1000, context, (after) => ({
      claim,
      seal: completionFor(idempotency, after, "changed"),
    }));
    lease.acquired = true;
    lease.completed = true;
    return { intent, completion: "changed" };
  } catch (error) {
    if (isRefusedBy(error, "idempotency_key_pkey") || isRefusedBy(error, "idempotency_seal_pkey"))
      throw new KeyConflict();
    if (!isRefusedBy(error, "sandbox_clock_offset_in_range")) throw error;
    throw validationError("advance_seconds", "would set the clock more than 400 days ahead in total");
  } finally {
    forgetMerchantSettings(scope.merchantId);
  }
}

async function requireTest({ merchantId, environment }: Scope): Promise<void> {
  if (environment !== "test") throw notFoundError();
  await merchantSettings(merchantId);
}
