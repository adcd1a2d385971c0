import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { Scope } from "@/server/domain/scope";
import { query } from "./client";
import { payoutMapping } from "./intents/payout-row";
import { selectList } from "./intents/row";

type PayoutRow = Parameters<typeof payoutMapping.fromRow>[0];

/** Returns the payouts of a batch in the order of their creation; none for an unknown batch. */
export async function findPayoutsOfBatch({ merchantId, environment }: Scope, batchId: string): Promise<PayoutIntent[]> {
  const rows = await query<PayoutRow>(
    `SELECT ${selectList(payoutMapping)} FROM payout_intent
     WHERE merchant_id = $1 AND environment = $2 AND batch_id = $3 ORDER BY id`,
    merchantId,
    environment,
    batchId,
  );
  return rows.map(payoutMapping.fromRow);
}
