// Checks the invariants of the database, for operators and tests.
import { checkInvariantsAcrossMerchants, type InvariantCheck } from "@/server/db/invariants/check";
import { readReport } from "../reports";

export interface InvariantReport {
  readonly checked: readonly InvariantCheck[];
  /** Offending rows of all invariants; zero if all hold. */
  readonly violations: number;
  /** The state before this instant was checked; null if it is the present one, of the service's own database. */
  readonly as_of: string | null;
}

/** Checks every invariant on one read-only snapshot of all merchants; safe during traffic. */
export async function checkInvariants(): Promise<InvariantReport> {
  const { asOf, result: checked } = await readReport(checkInvariantsAcrossMerchants);
  const violations = checked.reduce((total, { rows }) => total + rows, 0);
  return { checked, violations, as_of: asOf?.toISOString() ?? null };
}
