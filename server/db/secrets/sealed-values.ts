// Moving sealed values to another key, batch by batch beside traffic.

import { acrossMerchants } from "@/server/platform/reach";
import { type Act, recordChange } from "../audit/record";
import { inTransaction, queryAcrossMerchants } from "../client";
import type { Transaction } from "../transaction";

/** A column of values sealed under a key that they name. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The column that identifies a row within its merchant. */
  readonly id: "id" | "member_id";
  /** SQL condition of the rows that may change. */
  readonly condition: string;
  /** Spelled out, so that the writers of a table are found by its name. */
  readonly update: string;
}

const ENDPOINT = { table: "webhook_endpoint", id: "id", condition: "deleted_at IS NULL" } as const;

export const ACCOUNT_NUMBERS: SealedColumn = {
  table: "payout_intent",
  column: "account_sealed",
  id: "id",
  condition: "true",
  update: "UPDATE payout_intent AS t SET account_sealed = v.resealed",
};
export const RECIPIENT_ACCOUNTS: SealedColumn = {
  table: "payout_recipient",
  column: "account_sealed",
  id: "id",
  condition: "true",
  update: "UPDATE payout_recipient AS t SET account_sealed = v.resealed",
};
export const TOTP_SECRETS: SealedColumn = {
  table: "member_totp",
  column: "secret_sealed",
  id: "member_id",
  condition: "true",
  update: "UPDATE member_totp AS t SET secret_sealed = v.resealed",
};
export const WEBHOOK_SECRETS: SealedColumn = {
  ...ENDPOINT,
  column: "secret_sealed",
  update: "UPDATE webhook_endpoint AS t SET secret_sealed = v.resealed",
};
export const PREVIOUS_WEBHOOK_SECRETS: SealedColumn = {
  ...ENDPOINT,
  column: "previous_secret_sealed",
  update: "UPDATE webhook_endpoint AS t SET previous_secret_sealed = v.resealed",
};

const REGISTRATION = { table: "notification_registration", id: "id", condition: "true" } as const;

export const NOTIFICATION_URLS: SealedColumn = {
  ...REGISTRATION,
  column: "url_sealed",
  update: "UPDATE notification_registration AS t SET url_sealed = v.resealed",
};
export const NOTIFICATION_SECRETS: SealedColumn = {
  ...REGISTRATION,
  column: "secret_sealed",
  update: "UPDATE notification_registration AS t SET secret_sealed = v.resealed",
};

export interface SealedPlace {
  readonly merchantId: string;
  readonly id: string;
}

/** Null if the value is under the key already, or there is none. */
export type SealedValue = SealedPlace & { readonly sealed: string | null };

/** Returns the next `count` rows of the column, by merchant and id; `sealed` is set where it is under another key. */
export function readSealedAcrossMerchants(
  { table, column, id, condition }: SealedColumn,
  keyId: string,
  after: SealedPlace,
  count: number,
): Promise<SealedValue[]> {
  return queryAcrossMerchants<SealedValue>(
    `SELECT merchant_id AS "merchantId", ${id} AS id,
            CASE WHEN ${condition} AND NOT starts_with(${column}, $1) THEN ${column} END AS sealed
     FROM ${table} WHERE (merchant_id, ${id}) > ($2, $3) ORDER BY merchant_id, ${id} LIMIT $4`,
    `${keyId}.`,
    after.merchantId,
    after.id,
    count,
  );
}

export type Resealed = SealedPlace & { readonly sealed: string; readonly resealed: string };

/**
 * Replaces the values that are still as read, with one audit entry per merchant; returns how many. A value that changed
 * since is under the current key, because its writer sealed it there.
 */
export function storeResealedAcrossMerchants(
  { table, column, id, condition, update }: SealedColumn,
  values: readonly Resealed[],
  keyId: string,
  act: Act,
): Promise<number> {
  const work = async (transaction: Transaction): Promise<number> => {
    const stored = await transaction.query<{ merchant_id: string; rows: number }>(
      `WITH stored AS (
         ${update} FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS v(owner, place, sealed, resealed)
         WHERE t.merchant_id = v.owner AND t.${id} = v.place AND t.${column} = v.sealed AND ${condition}
         RETURNING t.merchant_id)
       SELECT merchant_id, count(*)::int AS rows FROM stored GROUP BY merchant_id ORDER BY merchant_id`,
      values.map(({ merchantId }) => merchantId),
      values.map((value) => value.id),
      values.map(({ sealed }) => sealed),
      values.map(({ resealed }) => resealed),
    );
    for (const { merchant_id: merchantId, rows } of stored) {
      const change = { merchantId, environment: null, action: "secrets.rewrap", objectId: `${table}.${column}` };
      await recordChange(transaction, { ...change, before: null, after: { key_id: keyId, rows } }, act);
    }
    return stored.reduce((sum, { rows }) => sum + rows, 0);
  };
  return acrossMerchants(() => inTransaction(work));
}
