// Which callbacks were applied to a top-up. The rows are the merchant's, so they move and are restored with its books.
import { originalCallbackId } from "@/server/domain/callback";
import type { ReceivedCallback } from "./callbacks";
import { query } from "./client";

type Applied = Pick<ReceivedCallback, "provider" | "callbackId" | "body">;

const keyOf = ({ provider, callbackId, body }: Applied) => [provider, originalCallbackId(callbackId), body] as const;
const HASH = "encode(sha256(convert_to($4, 'UTF8')), 'hex')";

/** True if the callback was applied to a top-up of the merchant, in whatever cell. */
export async function isTopupCallbackApplied(merchantId: string, callback: Applied): Promise<boolean> {
  const rows = await query(
    `SELECT FROM topup_callback WHERE merchant_id = $1 AND provider = $2 AND callback_id = $3 AND body_hash = ${HASH}`,
    merchantId,
    ...keyOf(callback),
  );
  return rows.length > 0;
}

/** Remembers that the callback was applied to this top-up. May be repeated. */
export async function rememberTopupCallback(
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  callback: Applied,
): Promise<void> {
  await query(
    `INSERT INTO topup_callback (merchant_id, provider, callback_id, body_hash, intent_id)
     VALUES ($1, $2, $3, ${HASH}, $5) ON CONFLICT DO NOTHING`,
    merchantId,
    ...keyOf(callback),
    id,
  );
}
