// Lines of settlement files that people booked by hand. Imports leave them alone.
import { NOBODY } from "@/server/domain/exceptions";
import { type LineOfFact, unbookedFacts } from "@/server/domain/reconciliation-exceptions";
import { acrossMerchants } from "@/server/platform/reach";
import { type Act, recordChange } from "../audit/record";
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
  /** The line's own id; null if an entry did not note it and its exception is in another cell. */
  readonly lineId: string | null;
}

/** The line's own id, of an exception about a line. */
export function lineIdOf({ detail, objectId }: StoredException): string {
  return detail["line_id"] ?? objectId;
}

/**
 * Notes in the running work's cell, whose imports decide on it, that the exception's line is booked; `bookedFor` in whose books. False
 * if that is noted already.
 */
export async function noteHandBookingWithin(
  transaction: Transaction,
  exception: StoredException,
  bookedFor: string | null,
): Promise<boolean> {
  const rows = await transaction.query(
    `INSERT INTO hand_booked_line (environment, fact, object_id, line_id, booked_for) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING fact`,
    exception.environment,
    exception.fact,
    exception.objectId,
    lineIdOf(exception),
    bookedFor,
  );
  return rows.length === 1;
}

/** True if an import has found the line. */
async function isFoundWithin(transaction: Transaction, environment: string, line: LineOfFact): Promise<boolean> {
  const rows = await transaction.query(
    `SELECT FROM settlement_line WHERE provider = $1 AND environment = $2 AND digest = $3
       AND verdict IN ('matched', 'amount_mismatch', 'bank')`,
    line.provider,
    environment,
    line.digest,
  );
  return rows.length > 0;
}

/**
 * Resolves nobody's exception about the line, and notes that the line is booked. One that is resolved keeps its resolution, and its
 * line is noted, with an audit entry. Waits for an import. Returns null if the line is noted already, or an import has found it.
 */
export function resolveAsBooked(
  exception: StoredException,
  line: LineOfFact,
  resolution: string,
  act: Act,
): Promise<StoredException | null> {
  const { id, environment, kind, objectId } = exception;
  const work = async (transaction: Transaction) => {
    await holdLinesWithin(transaction, environment, line.provider);
    if (await isFoundWithin(transaction, environment, line)) return null;
    if (!(await noteHandBookingWithin(transaction, exception, null))) return null;
    const resolved = await resolveExceptionWithin(transaction, exception, resolution, act);
    if (resolved) return resolved;
    const before = { kind, object_id: objectId };
    const noted = { merchantId: NOBODY, environment, action: "exception.note_booked", objectId: id, before };
    await recordChange(transaction, { ...noted, after: { resolution } }, act);
    return exception;
  };
  // The line may be a merchant's by now.
  return acrossMerchants(() => inTransaction(work));
}

/** Entries of before they noted it: the exception tells, if it is in this cell. */
const FACT = "coalesce(j.exception_fact, x.fact)";

/** Entries of the cell's merchants. What they booked before they came is noted in the cell that they left. */
const ENTRIES = `
  SELECT j.merchant_id AS "merchantId", coalesce(j.object_id, x.object_id) AS "objectId", ${FACT} AS fact,
         coalesce(j.line_id, x.detail->>'line_id') AS "lineId"
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
