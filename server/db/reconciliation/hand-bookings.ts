// Lines of settlement files that people booked by hand. Imports leave them alone.
import { unbookedFacts } from "@/server/domain/reconciliation-exceptions";
import { acrossMerchants } from "@/server/platform/reach";
import type { Act } from "../audit/record";
import { inSnapshot, inTransaction } from "../client";
import { resolveExceptionWithin, type StoredException } from "../exceptions";
import type { Transaction } from "../transaction";
import { holdLinesWithin, type ImportScope } from "./import";

/** A line of which the books had nothing, and which people have booked. */
export interface HandBooking {
  /** Whose books have the money; the line may name another merchant's intent, or none. Null if an operator said that it is booked. */
  readonly merchantId: string | null;
  /** What the line's exception is about. */
  readonly objectId: string | null;
  /** The fact of the line's exception. */
  readonly fact: string;
  /** The line's own id; null if its exception is in another cell. */
  readonly lineId: string | null;
}

/** The line's own id, of an exception about a line. */
export function lineIdOf({ detail, objectId }: StoredException): string {
  return detail["line_id"] ?? objectId;
}

/** Notes in the running work's cell, whose imports decide on it, that the exception's line is booked; `bookedFor` in whose books. */
export async function noteHandBookingWithin(
  transaction: Transaction,
  exception: StoredException,
  bookedFor: string | null,
): Promise<void> {
  await transaction.query(
    `INSERT INTO hand_booked_line (environment, fact, object_id, line_id, booked_for) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    exception.environment,
    exception.fact,
    exception.objectId,
    lineIdOf(exception),
    bookedFor,
  );
}

/**
 * Resolves nobody's exception about a line of the provider, and notes that the line is booked. Waits for an import. Returns null if
 * the exception is resolved already.
 */
export function resolveAsBooked(
  exception: StoredException,
  provider: string,
  resolution: string,
  act: Act,
): Promise<StoredException | null> {
  return inTransaction(async (transaction) => {
    await holdLinesWithin(transaction, exception.environment, provider);
    const resolved = await resolveExceptionWithin(transaction, exception, resolution, act);
    if (resolved) await noteHandBookingWithin(transaction, exception, null);
    return resolved;
  });
}

/** Releases before `exception_fact` did not note it: the exception tells, if it is in this cell. */
const FACT = "coalesce(j.exception_fact, x.fact)";

/** Entries of the cell's merchants. What they booked before they came is noted in the cell that they left. */
const ENTRIES = `
  SELECT j.merchant_id AS "merchantId", coalesce(j.object_id, x.object_id) AS "objectId", ${FACT} AS fact,
         x.detail->>'line_id' AS "lineId"
  FROM journal_entry j LEFT JOIN exception x ON x.merchant_id IN (j.merchant_id, '') AND x.id = j.exception_id
  WHERE j.environment = $1 AND j.state = 'confirmed' AND j.exception_id IS NOT NULL
    AND EXISTS (SELECT FROM unnest($2::text[]) AS start WHERE starts_with(${FACT}, start))`;

/** Entries of merchants that have left the cell are still noted here. */
const NOTED = `
  SELECT booked_for AS "merchantId", object_id AS "objectId", fact, line_id AS "lineId"
  FROM hand_booked_line
  WHERE environment = $1 AND EXISTS (SELECT FROM unnest($2::text[]) AS start WHERE starts_with(fact, start))`;

/** Lines of the provider that are booked; only by entries of the merchant where its members import. */
export function findHandBookingsWithin(
  transaction: Transaction,
  { provider, environment, merchantId: importer }: ImportScope,
): Promise<HandBooking[]> {
  const facts = unbookedFacts(provider);
  return importer === null
    ? transaction.query<HandBooking>(`${NOTED} UNION ${ENTRIES}`, environment, facts)
    : transaction.query<HandBooking>(`${ENTRIES} AND j.merchant_id = $3`, environment, facts, importer);
}

/** The same in a transaction of its own. */
export function findHandBookingsAcrossMerchants(scope: ImportScope): Promise<readonly HandBooking[]> {
  return acrossMerchants(() => inSnapshot((transaction) => findHandBookingsWithin(transaction, scope)));
}
