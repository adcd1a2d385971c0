// The rows of payout limits: read, and changed with an audit entry. The database enforces them where a payout is inserted.
import { isUnlimited, type LimitSubject, NO_PAYOUT_LIMITS, type PayoutLimits } from "@/server/domain/payout-limits";
import type { Scope } from "@/server/domain/scope";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, query } from "./client";
import type { Transaction } from "./transaction";

const MERCHANT = "merchant";

interface LimitRow {
  readonly currency: string;
  readonly appliesTo: string;
  readonly amountAtMost: string | null;
  readonly dayAtMost: string | null;
  readonly recipientDayAtMost: string | null;
}

const COLUMNS = `currency, applies_to AS "appliesTo", amount_at_most::text AS "amountAtMost",
  day_at_most::text AS "dayAtMost", recipient_day_at_most::text AS "recipientDayAtMost"`;

/** The limits of a subject in a currency. */
export interface SubjectLimits {
  readonly subject: LimitSubject;
  readonly currency: string;
  readonly limits: PayoutLimits;
}

function units(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

function limitsOf({ amountAtMost, dayAtMost, recipientDayAtMost }: LimitRow): PayoutLimits {
  return {
    amountAtMost: units(amountAtMost),
    dayAtMost: units(dayAtMost),
    recipientDayAtMost: units(recipientDayAtMost),
  };
}

/** Returns every limit of the scope, the merchant's before those of its keys. */
export async function listPayoutLimits({ merchantId, environment }: Scope): Promise<SubjectLimits[]> {
  const rows = await query<LimitRow>(
    `SELECT ${COLUMNS} FROM payout_limit WHERE merchant_id = $1 AND environment = $2
     ORDER BY applies_to <> '${MERCHANT}', applies_to, currency`,
    merchantId,
    environment,
  );
  return rows.map((row) => ({
    subject: row.appliesTo === MERCHANT ? MERCHANT : { apiKeyId: row.appliesTo },
    currency: row.currency,
    limits: limitsOf(row),
  }));
}

const UPSERT = `
  INSERT INTO payout_limit (merchant_id, environment, currency, applies_to, amount_at_most, day_at_most,
                            recipient_day_at_most)
  VALUES ($1, $2, $3, $4, $5::numeric, $6::numeric, $7::numeric)
  ON CONFLICT (merchant_id, environment, currency, applies_to) DO UPDATE
  SET amount_at_most = EXCLUDED.amount_at_most, day_at_most = EXCLUDED.day_at_most,
      recipient_day_at_most = EXCLUDED.recipient_day_at_most`;

const DELETE =
  "DELETE FROM payout_limit WHERE merchant_id = $1 AND environment = $2 AND currency = $3 AND applies_to = $4";

/** A limit as the audit log shows it. */
function audited(currency: string, { amountAtMost, dayAtMost, recipientDayAtMost }: PayoutLimits) {
  return {
    currency,
    amount_at_most: amountAtMost?.toString() ?? null,
    day_at_most: dayAtMost?.toString() ?? null,
    recipient_day_at_most: recipientDayAtMost?.toString() ?? null,
  };
}

/** Replaces the limits of a subject in a currency, with an audit entry where that changes anything. */
export async function replacePayoutLimits(
  { merchantId, environment }: Scope,
  { subject, currency, limits }: SubjectLimits,
  act: Act,
): Promise<void> {
  const appliesTo = subject === MERCHANT ? MERCHANT : subject.apiKeyId;
  const row = [merchantId, environment, currency, appliesTo];
  await inTransaction(async (transaction) => {
    const former = await findForUpdate(transaction, row);
    const [before, after] = [audited(currency, former), audited(currency, limits)];
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    if (isUnlimited(limits)) await transaction.query(DELETE, ...row);
    else await transaction.query(UPSERT, ...row, after.amount_at_most, after.day_at_most, after.recipient_day_at_most);
    const objectId = subject === MERCHANT ? merchantId : subject.apiKeyId;
    await recordChange(
      transaction,
      { merchantId, environment, action: "payout_limits.set", objectId, before, after },
      act,
    );
  });
}

/** The present limits. The lock of the merchant makes concurrent changes wait, also where there is no row yet. */
async function findForUpdate(transaction: Transaction, row: readonly string[]): Promise<PayoutLimits> {
  await transaction.query("SELECT FROM merchant WHERE id = $1 FOR NO KEY UPDATE", row[0]);
  const [found] = await transaction.query<LimitRow>(
    `SELECT ${COLUMNS} FROM payout_limit
     WHERE merchant_id = $1 AND environment = $2 AND currency = $3 AND applies_to = $4`,
    ...row,
  );
  return found ? limitsOf(found) : NO_PAYOUT_LIMITS;
}

/** Gives a key that replaces another the same limits. */
export async function copyKeyLimitsWithin(
  transaction: Transaction,
  { merchantId, environment }: Scope,
  from: string,
  to: string,
): Promise<void> {
  await transaction.query(
    `INSERT INTO payout_limit (merchant_id, environment, currency, applies_to, amount_at_most, day_at_most)
     SELECT merchant_id, environment, currency, $4, amount_at_most, day_at_most FROM payout_limit
     WHERE merchant_id = $1 AND environment = $2 AND applies_to = $3`,
    merchantId,
    environment,
    from,
    to,
  );
}
