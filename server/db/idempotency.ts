// The idempotency tables beyond the commit: reading a key, taking over a dead lease, sealing refusals, reaping.
import type { Scope } from "@/server/domain/scope";
import { query, queryAcrossMerchants } from "./client";
import type { Claim, Seal } from "./commit/unit";
import { aheadOf } from "./merchant-time";
import type { Transaction } from "./transaction";

/** How long a key is held after its first request, by the merchant's clock (interface §8). */
const LIFETIME = "interval '24 hours'";

/** The merchant's time; $1 and $2 are its scope in every statement that uses it. */
const MERCHANT_NOW = `now() + ${aheadOf({ merchant: "$1", environment: "$2" })}`;

/** The state of a key: `running` has no answer yet; its lease says whether its request may still be alive. */
export interface KeyRecord {
  readonly fingerprint: string;
  readonly holder: string;
  readonly objectId: string | null;
  readonly expired: boolean;
  readonly leaseLapsed: boolean;
  readonly answer: { readonly status: number; readonly body: string } | null;
}

type KeyName = Pick<Claim, "apiKeyId" | "key">;

/** A key as one execution holds it. */
export type LeasedKey = Pick<Scope, "merchantId"> & Pick<Claim, "apiKeyId" | "key" | "holder">;

/** The record of a key, or null when it was never used. */
export async function findKey(scope: Scope, { apiKeyId, key }: KeyName): Promise<KeyRecord | null> {
  const [row] = await query<{
    fingerprint: string;
    holder: string;
    object_id: string | null;
    expired: boolean;
    lapsed: boolean;
    status: number | null;
    body: string | null;
  }>(
    `SELECT k.fingerprint, k.holder, k.object_id, k.created_at <= ${MERCHANT_NOW} - ${LIFETIME} AS expired,
            k.lease_until <= now() AS lapsed, s.status, s.body
     FROM idempotency_key k LEFT JOIN idempotency_seal s USING (merchant_id, api_key_id, key)
     WHERE k.merchant_id = $1 AND k.api_key_id = $3 AND k.key = $4`,
    scope.merchantId,
    scope.environment,
    apiKeyId,
    key,
  );
  if (!row) return null;
  return {
    fingerprint: row.fingerprint,
    holder: row.holder,
    objectId: row.object_id,
    expired: row.expired,
    leaseLapsed: row.lapsed,
    answer: row.status === null || row.body === null ? null : { status: row.status, body: row.body },
  };
}

const INSERT_CLAIM = `
  INSERT INTO idempotency_key (merchant_id, api_key_id, key, fingerprint, holder, created_at, lease_until)
  VALUES ($1, $3, $4, $5, $6, ${MERCHANT_NOW}, now() + $7::int * interval '1 second')`;

function claimValues({ merchantId, environment }: Scope, claim: Claim): unknown[] {
  return [merchantId, environment, claim.apiKeyId, claim.key, claim.fingerprint, claim.holder, claim.leaseSeconds];
}

/** Claims a key outside a commit. False when somebody holds it. */
export async function claimKey(scope: Scope, claim: Claim): Promise<boolean> {
  const rows = await query(`${INSERT_CLAIM} ON CONFLICT DO NOTHING RETURNING key`, ...claimValues(scope, claim));
  return rows.length === 1;
}

/**
 * Takes the key over from `holder`, whose request died or is this very request. False when another retry was faster or an
 * answer has appeared. The caller has seen that the lease has lapsed, or that the key is its own.
 */
export async function takeOverKey(merchantId: string, claim: Claim, holder: string): Promise<boolean> {
  const rows = await query(
    `UPDATE idempotency_key k SET holder = $5, lease_until = now() + $4::int * interval '1 second'
     WHERE merchant_id = $1 AND api_key_id = $2 AND key = $3 AND holder = $6
       AND NOT EXISTS (SELECT FROM idempotency_seal s
                       WHERE s.merchant_id = k.merchant_id AND s.api_key_id = k.api_key_id AND s.key = k.key)
     RETURNING key`,
    merchantId,
    claim.apiKeyId,
    claim.key,
    claim.leaseSeconds,
    claim.holder,
    holder,
  );
  return rows.length === 1;
}

/**
 * Ends the leases of keys whose requests failed on our side (interface §8, failed original): the next retry may have the
 * key at once, and resumes the object that it names, if any. Returns the holders whose leases it ended: a key that another
 * execution holds, or whose claim has not been committed, is left alone.
 */
export async function endLeasesAcrossMerchants(held: readonly LeasedKey[]): Promise<string[]> {
  const rows = await queryAcrossMerchants<{ holder: string }>(
    `UPDATE idempotency_key k SET lease_until = now()
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS h(merchant_id, api_key_id, key, holder)
     WHERE k.merchant_id = h.merchant_id AND k.api_key_id = h.api_key_id AND k.key = h.key AND k.holder = h.holder
     RETURNING k.holder`,
    held.map(({ merchantId }) => merchantId),
    held.map(({ apiKeyId }) => apiKeyId),
    held.map(({ key }) => key),
    held.map(({ holder }) => holder),
  );
  return rows.map(({ holder }) => holder);
}

/** Gives a key back that was taken but had no effect: no object, no answer. Its next use is a first use. */
export async function giveBackKey({ merchantId, apiKeyId, key, holder }: LeasedKey): Promise<void> {
  await query(
    `DELETE FROM idempotency_key k
     WHERE merchant_id = $1 AND api_key_id = $2 AND key = $3 AND holder = $4 AND object_id IS NULL
       AND NOT EXISTS (SELECT FROM idempotency_seal s
                       WHERE s.merchant_id = k.merchant_id AND s.api_key_id = k.api_key_id AND s.key = k.key)`,
    merchantId,
    apiKeyId,
    key,
    holder,
  );
}

/** Removes a key past its lifetime, so that the same text starts afresh. */
export async function forgetExpiredKey(scope: Scope, { apiKeyId, key }: KeyName): Promise<void> {
  await query(
    `DELETE FROM idempotency_key
     WHERE merchant_id = $1 AND api_key_id = $3 AND key = $4 AND created_at <= ${MERCHANT_NOW} - ${LIFETIME}`,
    scope.merchantId,
    scope.environment,
    apiKeyId,
    key,
  );
}

const INSERT_SEAL =
  "INSERT INTO idempotency_seal (merchant_id, api_key_id, key, status, body) VALUES ($1, $2, $3, $4, $5)";

function sealValues(merchantId: string, seal: Seal): unknown[] {
  return [merchantId, seal.apiKeyId, seal.key, seal.status, seal.body];
}

/** Stores the answer in the transaction of its effect; an answer that is there already fails the transaction. */
export async function sealKeyWithin(transaction: Transaction, merchantId: string, seal: Seal): Promise<void> {
  await transaction.query(INSERT_SEAL, ...sealValues(merchantId, seal));
}

/** Stores the answer of a request whose effect, if any, is committed already. False when one is stored. */
export async function sealKey(merchantId: string, seal: Seal): Promise<boolean> {
  const rows = await query(`${INSERT_SEAL} ON CONFLICT DO NOTHING RETURNING key`, ...sealValues(merchantId, seal));
  return rows.length === 1;
}

/** Claims the key and stores its answer in the transaction of the effect; a key that is taken fails the transaction. */
export async function storeAnswerWithin(
  transaction: Transaction,
  scope: Scope,
  { claim, seal }: { readonly claim: Claim | null; readonly seal: Seal | null },
): Promise<void> {
  if (claim) await transaction.query(INSERT_CLAIM, ...claimValues(scope, claim));
  if (seal) await sealKeyWithin(transaction, scope.merchantId, seal);
}

/** Expired by a clock that was moved: looked for merchant by merchant, since their keys are younger by every other. */
const EXPIRED_BY_MOVED_CLOCK = `
  SELECT k.merchant_id, k.api_key_id, k.key
  FROM sandbox_clock c
  JOIN api_key a ON a.merchant_id = c.merchant_id AND a.environment = c.environment
  JOIN idempotency_key k ON k.merchant_id = a.merchant_id AND k.api_key_id = a.id
  WHERE k.created_at <= now() + c.offset_ms * interval '1 millisecond' - ${LIFETIME}
  LIMIT $1`;

/**
 * Deletes up to `count` keys past their lifetime, and as many by moved clocks, but for those that another session holds;
 * returns how many. It waits for no key: two that wait for each other's would be a deadlock.
 */
export async function reapExpiredKeysAcrossMerchants(count: number): Promise<number> {
  const rows = await queryAcrossMerchants(
    `WITH expired AS (
       (SELECT merchant_id, api_key_id, key FROM idempotency_key WHERE created_at <= now() - ${LIFETIME}
        ORDER BY created_at LIMIT $1)
       UNION (${EXPIRED_BY_MOVED_CLOCK})),
     held AS MATERIALIZED (
       SELECT merchant_id, api_key_id, key FROM idempotency_key JOIN expired USING (merchant_id, api_key_id, key)
       FOR UPDATE OF idempotency_key SKIP LOCKED)
     DELETE FROM idempotency_key k USING held
     WHERE k.merchant_id = held.merchant_id AND k.api_key_id = held.api_key_id AND k.key = held.key
     RETURNING k.key`,
    count,
  );
  return rows.length;
}
