// A merchant's time in SQL: the database clock, plus the offset of a test merchant's clock.

interface MerchantColumns {
  readonly merchant: string;
  readonly environment: string;
}

/**
 * SQL for the interval by which a merchant's clock is ahead of `now()`: of the row of that name, or of the merchant and
 * environment that two expressions give. No live clock is ever moved (the table refuses it).
 */
export function aheadOf(row: string | MerchantColumns): string {
  const columns = typeof row === "string" ? { merchant: `${row}.merchant_id`, environment: `${row}.environment` } : row;
  return `coalesce((SELECT c.offset_ms FROM sandbox_clock c
    WHERE c.merchant_id = ${columns.merchant} AND c.environment = ${columns.environment}), 0) * interval '1 millisecond'`;
}
