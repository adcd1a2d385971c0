// A merchant's time: the database clock, plus the offset of a test environment whose clock was advanced.
import type { Merchant } from "@/server/db/merchants";
import type { Environment, Scope } from "@/server/domain/scope";
import { type Clock, now } from "@/server/platform/clock";
import { merchantSettings } from "./settings";

/** The clock of a merchant whose settings are already loaded. */
export function clockOf(merchant: Merchant, environment: Environment): Clock {
  if (environment === "live") return now;
  return () => new Date(now().getTime() + merchant.testClockAheadMs);
}

/**
 * The clock of a scope. If another process advances a test clock, this one follows within a second. Throws not_found for
 * an unknown merchant.
 */
export async function merchantClock({ merchantId, environment }: Scope): Promise<Clock> {
  return environment === "live" ? now : clockOf(await merchantSettings(merchantId), environment);
}
