// What makes the payer's page the merchant's: read, and changed with an audit entry.
import type { Brand, BrandChange } from "@/server/domain/brand";
import { now } from "@/server/platform/clock";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import type { Transaction } from "./transaction";

/** A row of `merchant_brand` as the domain's object, in SQL. */
export const BRAND = "json_build_object('color', color, 'logoSha256', logo_sha256)";

export const NO_BRAND: Brand = { color: null, logoSha256: null };

/** Returns the logo, a PNG file; null without one. */
export async function findLogo(merchantId: string): Promise<Buffer | null> {
  const [row] = await query<{ logo: Buffer | null }>(
    "SELECT logo FROM merchant_brand WHERE merchant_id = $1",
    merchantId,
  );
  return row?.logo ?? null;
}

function shown({ color, logoSha256 }: Brand) {
  return { color, logo_sha256: logoSha256 };
}

/** The brand as it is, which nobody else changes before the transaction ends. */
async function lockBrand(transaction: Transaction, merchantId: string): Promise<Brand> {
  await transaction.query("SELECT FROM merchant WHERE id = $1 FOR NO KEY UPDATE", merchantId);
  const [row] = await transaction.query<{ brand: Brand }>(
    `SELECT ${BRAND} AS brand FROM merchant_brand WHERE merchant_id = $1`,
    merchantId,
  );
  return row?.brand ?? NO_BRAND;
}

/** Sets the brand, with an audit entry where that changes it. The time of the entry is read under the lock. */
export async function updateBrand(merchantId: string, { color, logo }: BrandChange, act: Act): Promise<void> {
  await inTransaction(async (transaction) => {
    const before = await lockBrand(transaction, merchantId);
    const [row] = await transaction.query<{ brand: Brand }>(
      `INSERT INTO merchant_brand AS b (merchant_id, color, logo, logo_sha256)
       VALUES ($1, $2, $3::bytea, encode(sha256($3::bytea), 'hex'))
       ON CONFLICT (merchant_id) DO UPDATE SET color = EXCLUDED.color,
         logo = CASE WHEN $4 THEN b.logo ELSE EXCLUDED.logo END,
         logo_sha256 = CASE WHEN $4 THEN b.logo_sha256 ELSE EXCLUDED.logo_sha256 END
       RETURNING ${BRAND} AS brand`,
      merchantId,
      color,
      logo ?? null,
      logo === undefined,
    );
    const states = { before: shown(before), after: shown(row?.brand ?? NO_BRAND) };
    if (JSON.stringify(states.before) === JSON.stringify(states.after)) return;
    const change = { merchantId, environment: null, action: "merchant.set_brand", objectId: merchantId, ...states };
    await recordChange(transaction, change, { ...act, at: now() });
  });
}
