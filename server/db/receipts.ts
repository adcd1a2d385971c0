import { clearingAccount } from "@/server/domain/ledger";
import type { BookedReceipt, Receipt } from "@/server/domain/receipts";
import { query } from "./client";

/** Receipts of the intent that are booked for the receipt's provider; old bookings name no provider. */
export async function findBookedReceipts(
  merchantId: string,
  { intentId, provider }: Receipt,
): Promise<BookedReceipt[]> {
  const rows = await query<Record<"unique_key" | "currency" | "amount", string> & { reference: string | null }>(
    `SELECT t.unique_key, e.currency, (-e.amount)::text AS amount, x.detail->>'provider_reference' AS reference
     FROM ledger_transaction t
     JOIN ledger_entry e ON e.merchant_id = t.merchant_id AND e.transaction_id = t.id
     LEFT JOIN exception x
       ON x.merchant_id = t.merchant_id AND x.environment = t.environment AND x.fact = t.unique_key
     WHERE t.merchant_id = $1 AND t.intent_id = $2 AND e.kind IN ($3, 'provider_clearing')
       AND (starts_with(t.unique_key, 'receipt:') OR starts_with(t.unique_key, 'receipt_id:'))`,
    merchantId,
    intentId,
    clearingAccount(provider),
  );
  return rows.map(({ unique_key: uniqueKey, currency, amount, reference }) => ({
    uniqueKey,
    currency,
    amount: BigInt(amount),
    reference,
  }));
}
