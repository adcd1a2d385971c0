// Reports may read a replica, and then say how far it may be behind.
import { readReportAge } from "@/server/db/report-age";
import { currentReach } from "@/server/platform/reach";
import { asReport } from "@/server/platform/report-scope";

export interface Reported<Result> {
  readonly result: Result;
  /** Nothing acknowledged before this instant is missing; null if the service's own database was read. */
  readonly asOf: Date | null;
}

/** Reads for a report, on the replica if there is one. Throws an outage if the replica does not answer, or lacks a merchant
 * that has come from another cell. */
export async function readReport<Result>(read: () => Promise<Result>): Promise<Reported<Result>> {
  // Read first, so that the result is at least as new.
  const asOf = await readReportAge(currentReach());
  return { asOf, result: await asReport(read) };
}
