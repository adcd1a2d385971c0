// The suspension of a merchant by the operator.
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import { makeWaitingDueWithin } from "./dispatch-pauses";

/** True while the merchant is suspended. */
export async function readSuspended(merchantId: string): Promise<boolean> {
  const [row] = await query<{ is_suspended: boolean }>(
    "SELECT suspended_at IS NOT NULL AS is_suspended FROM merchant WHERE id = $1",
    merchantId,
  );
  return row?.is_suspended ?? false;
}

/** `unchanged` if the merchant is in that state already, `unknown` without such a merchant. */
export type SuspensionResult = "changed" | "unchanged" | "unknown";

/**
 * Suspends the merchant, or lifts its suspension if `isSuspended` is false, with an audit entry. What waited for its first
 * call during a suspension becomes due when it is lifted.
 */
export function updateSuspension(
  id: string,
  { isSuspended, reason }: { readonly isSuspended: boolean; readonly reason: string },
  act: Act,
): Promise<SuspensionResult> {
  return inTransaction(async (transaction) => {
    const [row] = await transaction.query<{ was: boolean }>(
      "SELECT suspended_at IS NOT NULL AS was FROM merchant WHERE id = $1 FOR NO KEY UPDATE",
      id,
    );
    if (!row) return "unknown";
    if (row.was === isSuspended) return "unchanged";
    await transaction.query(
      "UPDATE merchant SET suspended_at = $2::timestamptz, suspended_because = $3 WHERE id = $1",
      id,
      isSuspended ? act.at : null,
      isSuspended ? reason : null,
    );
    if (!isSuspended) await makeWaitingDueWithin(transaction, { provider: null, merchantId: id, currency: null });
    const action = isSuspended ? "merchant.suspend" : "merchant.resume";
    const states = { before: { is_suspended: row.was }, after: { is_suspended: isSuspended, reason } };
    await recordChange(transaction, { merchantId: id, environment: null, action, objectId: id, ...states }, act);
    return "changed";
  });
}
