// Distinguishes an outage or overload of the database from a fault of ours.
import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseReachable } from "@/server/db/client";
import { hasFailedSince, isDatabaseOutage, isMerchantAway } from "@/server/db/failures";
import { ServiceError } from "@/server/domain/errors";
import { OutcomeUnknown, Overloaded } from "@/server/platform/batcher";
import { allCells, type Cell, inCell } from "@/server/platform/cell";
import { createShortCache } from "@/server/platform/short-cache";

/** A probe is answered although a cell hangs. */
const CELL_ANSWERS_WITHIN_MS = 1_000;

const readiness = createShortCache<boolean>("readiness");

/**
 * Returns the error for the caller if a retry may succeed or the error is already a ServiceError; null for a fault of
 * ours.
 */
export function asServiceError(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error;
  const isBatchOutage = error instanceof Overloaded || error instanceof OutcomeUnknown;
  if (!isBatchOutage && !isDatabaseOutage(error)) return null;
  return temporarilyUnavailable();
}

/** True for a database's own complaint, such as a lock that it waited for too long; false if the merchant is in another cell. */
export function isOfDatabase(error: unknown): boolean {
  return isDatabaseOutage(error) && !isMerchantAway(error);
}

/** The error for work that a database must be there for. A retry may succeed after a second. */
export function temporarilyUnavailable(): ServiceError {
  return new ServiceError("service_unavailable", "The service is temporarily unavailable; retry shortly.", 1);
}

const isCellReady = (): Promise<boolean> => readiness.get("database", isDatabaseReachable);

/**
 * Returns true if requests that need the database of the cell, by default the first, can be served; up to a second old, so
 * that probes cannot flood it.
 */
export function isReady(cell: Cell = allCells()[0]): Promise<boolean> {
  return inCell(cell, isCellReady);
}

/**
 * Returns the names of the cells whose databases do not answer within a second, as probes may do. With one cell nothing is
 * asked: see isReady.
 */
export async function listAbsentCells(): Promise<string[]> {
  if (allCells().length === 1) return [];
  const answers = allCells().map(async (cell) => {
    const timer = new AbortController();
    const late = sleep(CELL_ANSWERS_WITHIN_MS, false, { signal: timer.signal }).catch(() => false);
    const isThere = await Promise.race([isReady(cell), late]);
    timer.abort();
    return isThere ? [] : [cell.name];
  });
  return (await Promise.all(answers)).flat();
}

/** Returns true if the database has failed since then, an instant of `performance.now()`: a fault of that time is its own. */
export function hadOutageSince(instant: number): boolean {
  return hasFailedSince(instant);
}
