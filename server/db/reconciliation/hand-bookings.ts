// Lines of settlement files that operators booked by hand, with a journal entry that names the line's exception.
import { unbookedFacts } from "@/server/domain/reconciliation-exceptions";
import { acrossMerchants } from "@/server/platform/reach";
import { inSnapshot } from "../client";
import { listMerchantFencesWithin, type MerchantFence } from "../merchant-fences";
import type { Transaction } from "../transaction";
import type { ImportScope } from "./import";

/** A confirmed journal entry about a line of which the books had nothing. */
export interface HandBooking {
  /** Whose books have the entry; the line may name another merchant's intent, or none. */
  readonly merchantId: string;
  /** What the line's exception is about. */
  readonly objectId: string | null;
  /** The fact of the line's exception. */
  readonly fact: string;
  /** The line's own id; null if its exception is in another cell. */
  readonly lineId: string | null;
}

/** Releases before `exception_fact` did not note it: the exception tells, if it is in this cell. */
const FACT = "coalesce(j.exception_fact, x.fact)";

/** Entries about lines of the provider; only the merchant's where its members import. */
export function findHandBookingsWithin(
  transaction: Transaction,
  { provider, environment, merchantId: importer }: ImportScope,
): Promise<HandBooking[]> {
  return transaction.query<HandBooking>(
    `SELECT j.merchant_id AS "merchantId", coalesce(j.object_id, x.object_id) AS "objectId", ${FACT} AS fact,
            x.detail->>'line_id' AS "lineId"
     FROM journal_entry j LEFT JOIN exception x ON x.merchant_id IN (j.merchant_id, '') AND x.id = j.exception_id
     WHERE j.environment = $1 AND j.state = 'confirmed' AND j.exception_id IS NOT NULL
       AND EXISTS (SELECT FROM unnest($2::text[]) AS start WHERE starts_with(${FACT}, start))
       ${importer === null ? "" : "AND j.merchant_id = $3"}`,
    environment,
    unbookedFacts(provider),
    ...(importer === null ? [] : [importer]),
  );
}

/**
 * The same in the running work's cell, in a transaction of its own, and the cell's fences at the same moment: the entries of
 * merchants that close or have left are not found.
 */
export function findHandBookingsAcrossMerchants(
  scope: ImportScope,
): Promise<{ readonly entries: readonly HandBooking[]; readonly fences: readonly MerchantFence[] }> {
  const find = async (transaction: Transaction) => {
    const fences = await listMerchantFencesWithin(transaction);
    return { fences, entries: await findHandBookingsWithin(transaction, scope) };
  };
  return acrossMerchants(() => inSnapshot(find));
}
