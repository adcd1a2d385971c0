import type { BookedMovement } from "@/server/domain/booked-movement";
import { clearingAccount } from "@/server/domain/ledger";
import type { IntentCore } from "@/server/domain/transition";
import { query } from "./client";

/** The keys of bookings of what a provider moved for a payment or payout. */
const MOVEMENTS = ["receipt:", "receipt_id:", "payout_settlement:", "bank_return:", "amount_mismatch:bank_return:"]
  .map((prefix) => `starts_with(t.unique_key, '${prefix}')`)
  .join(" OR ");

/** What is booked as moved by a provider for the intent; old bookings name no provider. */
export async function findBookedMovements(
  { merchantId, id }: Pick<IntentCore<string>, "merchantId" | "id">,
  provider: string,
): Promise<BookedMovement[]> {
  const rows = await query<Record<"unique_key" | "currency" | "amount", string> & { reference: string | null }>(
    `SELECT t.unique_key, e.currency, (-e.amount)::text AS amount, x.detail->>'provider_reference' AS reference
     FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     LEFT JOIN exception x
       ON x.merchant_id = t.merchant_id AND x.environment = t.environment AND x.fact = t.unique_key
     WHERE t.merchant_id = $1 AND t.intent_id = $2 AND e.kind IN ($3, 'provider_clearing') AND (${MOVEMENTS})`,
    merchantId,
    id,
    clearingAccount(provider),
  );
  return rows.map(({ unique_key: uniqueKey, currency, amount, reference }) => ({
    uniqueKey,
    currency,
    amount: BigInt(amount),
    reference,
  }));
}
