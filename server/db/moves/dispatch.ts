// How a cell sends to providers, for all its merchants alike. None of this moves with a merchant.
import type { Owner } from "./owner";

/** An open pause of a cell; it holds back what fits each member that is not null. */
export interface CellPause {
  readonly provider: string | null;
  readonly currency: string | null;
}

export interface CellDispatch {
  /** The database was restored or failed over, and its payouts wait until the operator has reconciled. */
  readonly isRestored: boolean;
  /** References that providers see are derived, so that a retry after a restore has the one they know. */
  readonly derivesReferences: boolean;
  readonly pauses: readonly CellPause[];
}

const DISPATCH = `
  SELECT coalesce((SELECT database_identity <> current_database_identity() FROM installation), false) AS "isRestored",
         EXISTS (SELECT FROM installation WHERE references_derived_at IS NOT NULL) AS "derivesReferences",
         coalesce((SELECT jsonb_agg(DISTINCT jsonb_build_object('provider', provider, 'currency', currency))
                   FROM dispatch_pause WHERE merchant_id IS NULL AND resumed_at IS NULL), '[]') AS pauses`;

/** Reads it from the cell's database. */
export async function readDispatch(owner: Owner): Promise<CellDispatch> {
  const [row] = await owner.query<CellDispatch>(DISPATCH);
  return row ?? { isRestored: false, derivesReferences: false, pauses: [] };
}
