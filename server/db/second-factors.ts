// Second factors of any kind.
import type { Transaction } from "./transaction";

/** Removes the member's passkeys and one-time codes that were set up since an instant; returns how many there were. */
export async function deleteFactorsSince(
  transaction: Transaction,
  { merchantId, memberId }: { readonly merchantId: string; readonly memberId: string },
  since: Date,
): Promise<number> {
  const own = "merchant_id = $1 AND member_id = $2";
  const removed = await transaction.query(
    `WITH passkeys AS (
       DELETE FROM member_passkey WHERE ${own} AND created_at >= $3::timestamptz RETURNING member_id
     ), codes AS (
       DELETE FROM member_totp WHERE ${own} AND coalesce(confirmed_at, created_at) >= $3::timestamptz RETURNING member_id
     )
     SELECT FROM passkeys UNION ALL SELECT FROM codes`,
    merchantId,
    memberId,
    since,
  );
  return removed.length;
}
