// Checks the invariants of the database, for operators and tests.
import { checkInvariantsAcrossMerchants, type InvariantCheck } from "@/server/db/invariants/check";

export interface InvariantReport {
  readonly checked: readonly InvariantCheck[];
  /** Offending rows of all invariants; zero if all hold. */
  readonly violations: number;
}

/** Checks every invariant on one read-only snapshot of all merchants; safe during traffic. */
export async function checkInvariants(): Promise<InvariantReport> {
  const checked = await checkInvariantsAcrossMerchants();
  return { checked, violations: checked.reduce((total, { rows }) => total + rows, 0) };
}
