// The clock of a merchant's test environment: reading it, and moving it forward so that waiting is testable at once.
import { isRefusedBy } from "@/server/db/failures";
import { advanceClock, type MerchantTime, readMerchantTime } from "@/server/db/sandbox-clock";
import { notFoundError, validationError } from "@/server/domain/errors";
import type { CallContext, Scope } from "@/server/domain/scope";
import { type Completed, completionFor, type Idempotency } from "../idempotency/completion";
import { KeyConflict } from "../idempotency/once";
import { forgetMerchantSettings, merchantSettings } from "../merchants/settings";

export type { MerchantTime } from "@/server/db/sandbox-clock";

/** What time it is in the merchant's test environment. Throws not_found for a live scope and an unknown merchant. */
export async function getSandboxClock(scope: Scope): Promise<MerchantTime> {
  await requireTest(scope);
  return readMerchantTime(scope);
}

/**
 * Moves the clock of the merchant's test environment forward by whole seconds: what is due by then falls due now. This
 * process stamps by it at once, the worker decides by it at once, other processes follow within a second. Throws
 * not_found as above, validation_failed beyond 400 days in all.
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
    throw validationError("advance_seconds", "would set the clock more than 400 days ahead in all");
  } finally {
    forgetMerchantSettings(scope.merchantId);
  }
}

async function requireTest({ merchantId, environment }: Scope): Promise<void> {
  if (environment !== "test") throw notFoundError();
  await merchantSettings(merchantId);
}
