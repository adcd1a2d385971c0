// Decides whether work may be sent to a provider now; a change takes effect within a second on every process.
import { type Pauses, readPauses } from "@/server/db/dispatch-pauses";
import { env } from "@/server/platform/env";
import { log } from "@/server/platform/log";
import { createShortCache } from "@/server/platform/short-cache";

/** An intent or refund to send, with its provider. */
export interface Dispatch {
  readonly table: "payment_intent" | "payout_intent" | "topup_intent" | "suspense_refund";
  readonly provider: string;
  readonly merchantId: string;
  readonly currency: string;
}

const pauses = createShortCache<Pauses>("dispatch-pauses");

/**
 * Returns true while it may not be sent: DISPATCH is off, a pause matches, its merchant is suspended, or it is a payout or refund
 * and the database was restored. For these two the database checks again when the call is announced.
 */
export async function isDispatchPaused({ table, provider, merchantId, currency }: Dispatch): Promise<boolean> {
  if (env().dispatch === "off") return true;
  const { open, suspended, isRestored } = await pauses.get("all", readPauses);
  if (isRestored && (table === "payout_intent" || table === "suspense_refund")) return true;
  if (suspended.includes(merchantId)) return true;
  return open.some(
    (pause) =>
      (pause.provider ?? provider) === provider &&
      (pause.merchantId ?? merchantId) === merchantId &&
      (pause.currency ?? currency) === currency,
  );
}

/** Drops this process's cached pauses. */
export function forgetPauses(): void {
  pauses.forget("all");
}

/** Logs that payouts wait because this is not the database whose payouts were reconciled last. */
export function warnOfRestore({ identity, knownIdentity }: Pauses): void {
  log().error(
    { identity, knownIdentity, todo: 'reconcile, then run: cli dispatch resume --reason "…"' },
    "PAYOUTS ARE PAUSED: the database was restored or failed over, and may lack what providers have executed",
  );
}
