// The row of facts about this database as a whole.
import { queryAcrossMerchants } from "./client";

/** Facts about this database as a whole. */
export interface Installation {
  /** Names the key by which dispatch references are derived; null while they are not derived. */
  readonly referenceKeyId: string | null;
  readonly referencesDerivedAt: Date | null;
}

/** What is stored about this database; all null before anything is. */
export async function readInstallation(): Promise<Installation> {
  const [row] = await queryAcrossMerchants<{ reference_key_id: string | null; references_derived_at: Date | null }>(
    "SELECT reference_key_id, references_derived_at FROM installation",
  );
  return {
    referenceKeyId: row?.reference_key_id ?? null,
    referencesDerivedAt: row?.references_derived_at ?? null,
  };
}

/** Starts deriving references by the key of that name, unless they are derived already. */
export async function startDerivingReferences(referenceKeyId: string): Promise<void> {
  await queryAcrossMerchants(
    `INSERT INTO installation AS i (reference_key_id, references_derived_at) VALUES ($1, now())
     ON CONFLICT (single) DO UPDATE SET reference_key_id = excluded.reference_key_id,
       references_derived_at = excluded.references_derived_at
     WHERE i.reference_key_id IS NULL`,
    referenceKeyId,
  );
}
