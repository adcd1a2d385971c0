// The check of everything that must hold in the database, for operators and tests.
import { type Checked, checkInvariantsAcrossMerchants } from "@/server/db/invariants/check";

export interface InvariantReport {
  readonly checked: readonly Checked[];
  /** Offending rows over all invariants; zero while everything holds. */
  readonly violations: number;
}

/** Checks every invariant on one read-only snapshot of all merchants; safe beside traffic. */
export async function checkInvariants(): Promise<InvariantReport> {
  const checked = await checkInvariantsAcrossMerchants();
  return { checked, violations: checked.reduce((total, { rows }) => total + rows, 0) };
}
