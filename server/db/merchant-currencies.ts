// The currencies of a merchant. A removed one keeps its row, because its wallet and its past stay visible.
import { OPENED_ACCOUNTS } from "@/server/domain/ledger";
import { ENVIRONMENTS } from "@/server/domain/scope";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import { type Booking, bookWithin } from "./commit/book-within";
import type { Transaction } from "./transaction";

export interface MerchantCurrency {
  readonly currency: string;
  /** Null while the currency is enabled. */
  readonly removedAt: Date | null;
}

/** Every currency that the merchant has or had, by code. */
export function listMerchantCurrencies(merchantId: string): Promise<MerchantCurrency[]> {
  return query<MerchantCurrency>(
    `SELECT currency, removed_at AS "removedAt" FROM merchant_currency WHERE merchant_id = $1 ORDER BY currency`,
    merchantId,
  );
}

/** Opens every ledger account of the currencies that the merchant lacks, in both environments. */
export async function openAccountsWithin(
  transaction: Transaction,
  merchantId: string,
  currencies: readonly string[],
): Promise<void> {
  await transaction.query(
    `INSERT INTO ledger_account (merchant_id, environment, currency, kind)
     SELECT $1, environment, currency, kind
     FROM unnest($2::text[]) AS environment, unnest($3::text[]) AS currency, unnest($4::text[]) AS kind
     ON CONFLICT DO NOTHING`,
    merchantId,
    ENVIRONMENTS,
    currencies,
    OPENED_ACCOUNTS,
  );
}

/** `unchanged` if the currency is in that state already, `unknown` without the merchant or, to remove, the currency. */
export type CurrencyResult = "changed" | "unchanged" | "unknown";

/** Enables a currency, with an audit entry. One that the merchant never had gets its accounts and the opening booking. */
export function enableCurrency(
  merchantId: string,
  currency: string,
  opening: Booking,
  act: Act,
): Promise<CurrencyResult> {
  return inTransaction(async (transaction) => {
    const found = await findForUpdate(transaction, merchantId, currency);
    if (!found) return "unknown";
    if (found.state === "enabled") return "unchanged";
    await transaction.query(
      `INSERT INTO merchant_currency (merchant_id, currency) VALUES ($1, $2)
       ON CONFLICT (merchant_id, currency) DO UPDATE SET removed_at = NULL`,
      merchantId,
      currency,
    );
    await audit(transaction, { merchantId, currency, isEnabled: true }, act);
    if (found.state === "removed") return "changed";
    await openAccountsWithin(transaction, merchantId, [currency]);
    await bookWithin(transaction, [opening], act.at);
    return "changed";
  });
}

/** Removes a currency, with an audit entry. */
export function removeCurrency(merchantId: string, currency: string, act: Act): Promise<CurrencyResult> {
  return inTransaction(async (transaction) => {
    const found = await findForUpdate(transaction, merchantId, currency);
    if (!found || found.state === "absent") return "unknown";
    if (found.state === "removed") return "unchanged";
    await transaction.query(
      "UPDATE merchant_currency SET removed_at = $3::timestamptz WHERE merchant_id = $1 AND currency = $2",
      merchantId,
      currency,
      act.at,
    );
    await audit(transaction, { merchantId, currency, isEnabled: false }, act);
    return "changed";
  });
}

/** The state of the currency, or null without the merchant, whose lock makes concurrent changes wait. */
async function findForUpdate(transaction: Transaction, merchantId: string, currency: string) {
  const [row] = await transaction.query<{ state: "enabled" | "removed" | "absent" }>(
    `SELECT CASE WHEN c.currency IS NULL THEN 'absent' WHEN c.removed_at IS NULL THEN 'enabled' ELSE 'removed' END AS state
     FROM merchant m LEFT JOIN merchant_currency c ON c.merchant_id = m.id AND c.currency = $2
     WHERE m.id = $1 FOR NO KEY UPDATE OF m`,
    merchantId,
    currency,
  );
  return row ?? null;
}

async function audit(
  transaction: Transaction,
  { merchantId, currency, isEnabled }: { merchantId: string; currency: string; isEnabled: boolean },
  act: Act,
): Promise<void> {
  const action = isEnabled ? "merchant.add_currency" : "merchant.remove_currency";
  const states = { before: { is_enabled: !isEnabled }, after: { currency, is_enabled: isEnabled } };
  await recordChange(transaction, { merchantId, environment: null, action, objectId: merchantId, ...states }, act);
}
