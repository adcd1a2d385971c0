// A merchant's time: the database's, and ahead of it in a test environment whose clock was moved.
import type { Merchant } from "@/server/db/merchants";
import type { Environment, Scope } from "@/server/domain/scope";
import { type Clock, now } from "@/server/platform/clock";
import { merchantSettings } from "./settings";

/** The clock of a merchant whose settings are at hand. */
export function clockOf(merchant: Merchant, environment: Environment): Clock {
  if (environment === "live") return now;
  return () => new Date(now().getTime() + merchant.testClockAheadMs);
}

/**
 * The clock of a scope; of a test clock that another process has moved it knows within a second. Throws not_found for an
 * unknown merchant.
 */
export async function merchantClock({ merchantId, environment }: Scope): Promise<Clock> {
  return environment === "live" ? now : clockOf(await merchantSettings(merchantId), environment);
}
