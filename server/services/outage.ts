// Distinguishes an outage or overload of the database from a fault of ours.
import { isDatabaseReachable } from "@/server/db/client";
import { hasFailedSince, isDatabaseOutage } from "@/server/db/failures";
import { ServiceError } from "@/server/domain/errors";
import { OutcomeUnknown, Overloaded } from "@/server/platform/batcher";
import { createShortCache } from "@/server/platform/short-cache";

const readiness = createShortCache<boolean>("readiness");

/**
 * Returns the error for the caller if a retry may succeed or the error is already a ServiceError; null for a fault of
 * ours.
 */
export function asServiceError(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error;
  const isBatchOutage = error instanceof Overloaded || error instanceof OutcomeUnknown;
  if (!isBatchOutage && !isDatabaseOutage(error)) return null;
  return new ServiceError("service_unavailable", "The service is temporarily unavailable; retry shortly.", 1);
}

/** Returns true if requests that need the database can be served; up to a second old, so that probes cannot flood it. */
export function isReady(): Promise<boolean> {
  return readiness.get("database", isDatabaseReachable);
}

/** Returns true if the database has failed since then, an instant of `performance.now()`: a fault of that time is its own. */
export function hadOutageSince(instant: number): boolean {
  return hasFailedSince(instant);
}
