// Reading one payout intent (interface §4.7).
import { payoutIntents } from "@/server/db/intents/stores";
import { notFoundError } from "@/server/domain/errors";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { Scope } from "@/server/domain/scope";
import { isId } from "@/server/platform/ids";

/** The intent, or not_found: foreign, absent and malformed ids are one and the same. */
export async function getPayoutIntent(scope: Scope, id: string): Promise<PayoutIntent> {
  const intent = isId("payoutIntent", id) ? await payoutIntents.find(scope, id) : null;
  if (!intent) throw notFoundError();
  return intent;
}

/** The merchant's payout intent of either environment; null if not found. */
export async function findPayoutOfMerchant(merchantId: string, id: string): Promise<PayoutIntent | null> {
  return isId("payoutIntent", id) ? payoutIntents.findOfMerchant(merchantId, id) : null;
}
