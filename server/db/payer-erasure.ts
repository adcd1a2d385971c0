// Erasing the details of a payer from ended payments and from the API log.
import { type Act, recordChange } from "./audit/record";
import { inLongTransaction, inTransaction, query } from "./client";

/** What identifies the payer in the merchant's payments; null where it is not used. */
export interface PayerKey {
  readonly merchantId: string;
  readonly reference: string | null;
  /** Compared without regard to capitals. */
  readonly email: string | null;
}

export interface PaymentOfPayer {
  readonly id: string;
  readonly isOfPayer: boolean;
  readonly isEnded: boolean;
  /** The payer's reference in the payment. */
  readonly reference: string | null;
}

const IS_OF_PAYER = "(customer->>'reference' = $2 OR lower(customer->>'email') = lower($3))";
const IS_ENDED = "status IN ('succeeded', 'failed', 'expired')";

/** Returns the next `count` payments of the merchant after `afterId`, by id, whoever paid. */
export function readPaymentsForErasure(
  { merchantId, reference, email }: PayerKey,
  afterId: string,
  count: number,
): Promise<PaymentOfPayer[]> {
  return query<PaymentOfPayer>(
    `SELECT id, coalesce(${IS_OF_PAYER}, false) AS "isOfPayer", ${IS_ENDED} AS "isEnded",
            customer->>'reference' AS reference
     FROM payment_intent WHERE merchant_id = $1 AND id > $4 ORDER BY id LIMIT $5`,
    merchantId,
    reference,
    email,
    afterId,
    count,
  );
}

/**
 * Erases the payer from those of the payments that have ended, each with an audit entry, and deletes the API log of the
 * requests that changed them. Returns the number of each.
 */
export function erasePayer(
  { merchantId, reference, email }: PayerKey,
  ids: readonly string[],
  act: Act,
): Promise<{ readonly payments: number; readonly requests: number }> {
  return inTransaction(async (transaction) => {
    const erased = await transaction.query<{ id: string; environment: "test" | "live" }>(
      `UPDATE payment_intent SET customer = NULL
       WHERE merchant_id = $1 AND id = ANY($4::text[]) AND ${IS_ENDED} AND ${IS_OF_PAYER} RETURNING id, environment`,
      merchantId,
      reference,
      email,
      ids,
    );
    for (const { id, environment } of erased) {
      const change = { merchantId, environment, action: "payer.erase", objectId: id, before: null };
      await recordChange(transaction, { ...change, after: { customer: null } }, act);
    }
    const requests = await transaction.query(
      `DELETE FROM api_log WHERE merchant_id = $1 AND id IN (
         SELECT request_id FROM audit_entry WHERE merchant_id = $1 AND object_id = ANY($2::text[]))
       RETURNING id`,
      merchantId,
      erased.map(({ id }) => id),
    );
    return { payments: erased.length, requests: requests.length };
  });
}

/** Deletes the merchant's logged requests whose body contains one of the texts, such as rejected ones; returns how many. */
export function deleteRequestsWith(merchantId: string, texts: readonly string[]): Promise<number> {
  return inLongTransaction(async (transaction) => {
    const deleted = await transaction.query(
      `DELETE FROM api_log WHERE merchant_id = $1
         AND EXISTS (SELECT FROM unnest($2::text[]) AS text WHERE strpos(request_body, text) > 0) RETURNING id`,
      merchantId,
      texts,
    );
    return deleted.length;
  });
}
