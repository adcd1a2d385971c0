// The state of a merchant's audit chain: how far it is linked, and the latest verification.
import { query } from "../client";

export interface AuditCheck {
  /** The last link before the first fault. */
  readonly lastSequence: bigint;
  readonly faultCount: number;
  readonly checkedAt: Date;
}

/** Stores the result of a verification unless a later one is stored. */
export async function storeCheck(merchantId: string, { lastSequence, faultCount, checkedAt }: AuditCheck) {
  await query(
    `INSERT INTO audit_check (merchant_id, last_sequence, fault_count, checked_at) VALUES ($1, $2::bigint, $3, $4::timestamptz)
     ON CONFLICT (merchant_id) DO UPDATE
     SET last_sequence = EXCLUDED.last_sequence, fault_count = EXCLUDED.fault_count, checked_at = EXCLUDED.checked_at
     WHERE audit_check.checked_at < EXCLUDED.checked_at`,
    merchantId,
    lastSequence,
    faultCount,
    checkedAt,
  );
}

export interface ChainState {
  /** The number of the last link; 0 without links. */
  readonly lastSequence: bigint;
  readonly linkedAt: Date | null;
  /** Null if the chain was never verified. */
  readonly check: AuditCheck | null;
}

/** The state of a merchant's chain, as of one instant. */
export async function readChainState(merchantId: string): Promise<ChainState> {
  const [row] = await query<{
    last_sequence: bigint | null;
    linked_at: Date | null;
    checked_sequence: bigint | null;
    fault_count: number | null;
    checked_at: Date | null;
  }>(
    `SELECT l.sequence AS last_sequence, l.linked_at, k.last_sequence AS checked_sequence, k.fault_count, k.checked_at
     FROM (SELECT $1::text AS merchant_id) m
     LEFT JOIN LATERAL (
       SELECT sequence, linked_at FROM audit_link WHERE merchant_id = m.merchant_id ORDER BY sequence DESC LIMIT 1
     ) l ON true
     LEFT JOIN audit_check k ON k.merchant_id = m.merchant_id`,
    merchantId,
  );
  const { checked_sequence: sequence = null, fault_count: faultCount = null, checked_at: checkedAt = null } = row ?? {};
  const isChecked = sequence !== null && faultCount !== null && checkedAt !== null;
  return {
    lastSequence: row?.last_sequence ?? 0n,
    linkedAt: row?.linked_at ?? null,
    check: isChecked ? { lastSequence: sequence, faultCount, checkedAt } : null,
  };
}
