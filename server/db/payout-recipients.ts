// The rows of saved recipients: read, added and removed, each change with an audit entry.
import type { PayoutRecipient } from "@/server/domain/payout-recipient";
import type { Environment, Scope } from "@/server/domain/scope";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import type { Transaction } from "./transaction";

interface RecipientRow {
  readonly merchant_id: string;
  readonly id: string;
  readonly environment: Environment;
  readonly holder_name: string;
  readonly bank_code: string;
  readonly country: string;
  readonly currency: string;
  readonly account_sealed: string;
  readonly account_last4: string;
  readonly saved_by_id: string;
  readonly created_at: Date;
  readonly usable_from: Date;
  readonly removed_at: Date | null;
}

const SELECT = `SELECT merchant_id, id, environment, holder_name, bank_code, country, currency, account_sealed,
  account_last4, saved_by_id, created_at, usable_from, removed_at
  FROM payout_recipient WHERE merchant_id = $1 AND environment = $2`;

function recipientOf(row: RecipientRow): PayoutRecipient {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    environment: row.environment,
    holderName: row.holder_name,
    bankCode: row.bank_code,
    country: row.country,
    currency: row.currency,
    accountSealed: row.account_sealed,
    accountLast4: row.account_last4,
    savedById: row.saved_by_id,
    createdAt: row.created_at,
    usableFrom: row.usable_from,
    removedAt: row.removed_at,
  };
}

/** Returns the recipients that were not removed, by name. */
export async function listRecipients(
  { merchantId, environment }: Scope,
  on: Pick<Transaction, "query"> = { query },
): Promise<PayoutRecipient[]> {
  const rows = await on.query<RecipientRow>(
    `${SELECT} AND removed_at IS NULL ORDER BY lower(holder_name), id`,
    merchantId,
    environment,
  );
  return rows.map(recipientOf);
}

/** Present recipients, by an index of those only; a word of the name begins with the text, both folded. */
export const FIND_RECIPIENTS = `${SELECT} AND removed_at IS NULL
  AND (position(' ' || search_folded($3) IN ' ' || search_folded(holder_name)) > 0 AND search_folded($3) <> '' OR id = $3)
  ORDER BY lower(holder_name), id LIMIT $4`;

/** Returns at most `count` present recipients with that id, or with a word of the name that begins with the text. */
export async function findRecipientsBy(
  { merchantId, environment }: Scope,
  text: string,
  count: number,
): Promise<PayoutRecipient[]> {
  return (await query<RecipientRow>(FIND_RECIPIENTS, merchantId, environment, text, count)).map(recipientOf);
}

/** Returns the recipient, also a removed one, or null. */
export async function findRecipient({ merchantId, environment }: Scope, id: string): Promise<PayoutRecipient | null> {
  const [row] = await query<RecipientRow>(`${SELECT} AND id = $3`, merchantId, environment, id);
  return row ? recipientOf(row) : null;
}

/** A recipient as the audit log shows it: without its name. */
function audited({ bankCode, country, currency, accountLast4, usableFrom }: PayoutRecipient) {
  return {
    bank_code: bankCode,
    country,
    currency,
    account_last4: accountLast4,
    usable_from: usableFrom.toISOString(),
  };
}

/**
 * Adds the recipient unless `refuse` returns something about the present ones, and returns that then, or null. The lock of
 * the merchant makes concurrent additions wait for each other.
 */
export function insertRecipient<Refusal>(
  recipient: PayoutRecipient,
  refuse: (present: readonly PayoutRecipient[]) => Refusal | null,
  act: Act,
): Promise<Refusal | null> {
  const { merchantId, id, environment } = recipient;
  return inTransaction(async (transaction) => {
    await transaction.query("SELECT FROM merchant WHERE id = $1 FOR NO KEY UPDATE", merchantId);
    const refusal = refuse(await listRecipients(recipient, transaction));
    if (refusal !== null) return refusal;
    await transaction.query(
      `INSERT INTO payout_recipient (merchant_id, id, environment, holder_name, bank_code, country, currency,
                                     account_sealed, account_last4, saved_by_id, created_at, usable_from)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      merchantId,
      id,
      environment,
      recipient.holderName,
      recipient.bankCode,
      recipient.country,
      recipient.currency,
      recipient.accountSealed,
      recipient.accountLast4,
      recipient.savedById,
      recipient.createdAt,
      recipient.usableFrom,
    );
    const change = { merchantId, environment, action: "payout_recipient.save", objectId: id };
    await recordChange(transaction, { ...change, before: null, after: audited(recipient) }, act);
    return null;
  });
}

/** Removes a recipient; false if there is none, or it was removed before. */
export function removeRecipient({ merchantId, environment }: Scope, id: string, at: Date, act: Act): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const [row] = await transaction.query<RecipientRow>(
      `UPDATE payout_recipient SET removed_at = $4
       WHERE merchant_id = $1 AND environment = $2 AND id = $3 AND removed_at IS NULL RETURNING *`,
      merchantId,
      environment,
      id,
      at,
    );
    if (!row) return false;
    const change = { merchantId, environment, action: "payout_recipient.remove", objectId: id };
    await recordChange(transaction, { ...change, before: audited(recipientOf(row)), after: null }, act);
    return true;
  });
}
