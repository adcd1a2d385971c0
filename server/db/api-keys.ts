// API keys at rest: found by public key, secrets only as keyed hashes.
import type { KeyLimits } from "@/server/domain/api-key";
import { type Environment, recordedActor, type Scope } from "@/server/domain/scope";
import { type Act, recordChange } from "./audit/record";
import { inTransaction, prisma, query, queryAcrossMerchants } from "./client";
import { copyKeyLimitsWithin } from "./payout-limits";
import type { Transaction } from "./transaction";

export interface ApiKey extends KeyLimits {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly publicKey: string;
  readonly secretHash: string;
  readonly pepperId: string;
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
}

const LIMITS = 'scopes, networks, valid_until AS "validUntil"';

/** The key that a request names, of any merchant: the credentials determine the merchant. */
export async function findApiKeyAcrossMerchants(publicKey: string): Promise<ApiKey | null> {
  const [row] = await queryAcrossMerchants<ApiKey>(
    `SELECT id, merchant_id AS "merchantId", environment, public_key AS "publicKey", secret_hash AS "secretHash",
            pepper_id AS "pepperId", revoked_at AS "revokedAt", expires_at AS "expiresAt", ${LIMITS}
     FROM api_key WHERE public_key = $1`,
    publicKey,
  );
  return row ?? null;
}

export interface NewApiKey extends KeyLimits {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly publicKey: string;
  readonly secretHash: string;
  readonly pepperId: string;
}

const INSERT = `
  INSERT INTO api_key (merchant_id, id, environment, name, public_key, secret_hash, pepper_id, makers, scopes,
                       networks, valid_until)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8::text[], $9::text[], $10::text[], $11::timestamptz)`;

function insertValues(key: NewApiKey, act: Act): unknown[] {
  const { merchantId, id, environment, name, publicKey, secretHash, pepperId, scopes, networks, validUntil } = key;
  const identity = [merchantId, id, environment, name, publicKey, secretHash, pepperId];
  return [...identity, makersOf(act), scopes, networks, validUntil];
}

/** The member who makes a key; empty for an operator, also one who acts in a member's name. */
function makersOf({ actor }: Act): string[] {
  const { type, id } = recordedActor(actor);
  return type === "member" ? [id] : [];
}

/** The limits in the audit entry of a new key; a limit that is not set is left out. */
function auditedLimits({ scopes, networks, validUntil }: KeyLimits): Record<string, unknown> {
  const limits = { scopes, networks, valid_until: validUntil };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null));
}

/** Stores a new key within a transaction, with its audit entry. */
export async function insertApiKeyWithin(transaction: Transaction, key: NewApiKey, act: Act): Promise<void> {
  const { id, merchantId, environment, name, publicKey } = key;
  const after = { name, public_key: publicKey, ...auditedLimits(key) };
  await transaction.query(INSERT, ...insertValues(key, act));
  const change = { merchantId, environment, action: "api_key.create", objectId: id, before: null, after };
  await recordChange(transaction, change, act);
}

/** Stores a new key, with its audit entry. */
export function insertApiKey(key: NewApiKey, act: Act): Promise<void> {
  return inTransaction((transaction) => insertApiKeyWithin(transaction, key, act));
}

/** Revokes a key of the scope from now on, with an audit entry; null without such a key. Again keeps the first time. */
export async function revokeApiKeyOf(
  { merchantId, environment }: Scope,
  id: string,
  act: Act,
): Promise<{ readonly publicKey: string; readonly revokedAt: Date | null } | null> {
  return inTransaction(async (transaction) => {
    const revoked = await transaction.query(
      `UPDATE api_key SET revoked_at = $4::timestamptz
       WHERE merchant_id = $1 AND environment = $2 AND id = $3 AND revoked_at IS NULL RETURNING id`,
      merchantId,
      environment,
      id,
      act.at,
    );
    const [key] = await transaction.query<{ name: string; publicKey: string; revokedAt: Date }>(
      `SELECT name, public_key AS "publicKey", revoked_at AS "revokedAt" FROM api_key
       WHERE merchant_id = $1 AND environment = $2 AND id = $3`,
      merchantId,
      environment,
      id,
    );
    if (key && revoked.length === 1) {
      const state = { name: key.name, public_key: key.publicKey };
      const before = { ...state, revoked_at: null };
      const after = { ...state, revoked_at: act.at };
      const change = { merchantId, environment, action: "api_key.revoke", objectId: id, before, after };
      await recordChange(transaction, change, act);
    }
    return key ?? null;
  });
}

/** The condition of a key that is neither revoked nor over at an instant. */
function isValidAt(instant: string): string {
  return `revoked_at IS NULL AND least(expires_at, valid_until, 'infinity') > ${instant}::timestamptz`;
}

/** Revokes every valid key of the scope in one transaction, with an audit entry of each. Returns their public keys. */
export async function revokeApiKeysOf({ merchantId, environment }: Scope, act: Act): Promise<string[]> {
  return inTransaction(async (transaction) => {
    const revoked = await transaction.query<{ id: string; name: string; publicKey: string }>(
      `UPDATE api_key SET revoked_at = $3::timestamptz
       WHERE merchant_id = $1 AND environment = $2 AND ${isValidAt("$3")}
       RETURNING id, name, public_key AS "publicKey"`,
      merchantId,
      environment,
      act.at,
    );
    for (const { id, name, publicKey } of revoked) {
      const before = { name, public_key: publicKey, revoked_at: null };
      const after = { ...before, revoked_at: act.at };
      const change = { merchantId, environment, action: "api_key.revoke", objectId: id, before, after };
      await recordChange(transaction, change, act);
    }
    return revoked.map(({ publicKey }) => publicKey);
  });
}

/** Whether the scope has a key of that id, whatever has become of it. */
export async function hasApiKey({ merchantId, environment }: Scope, id: string): Promise<boolean> {
  return (await prisma().apiKey.count({ where: { merchantId, environment, id } })) > 0;
}

/** A key as people see it: without anything made of its secret. */
export interface ListedApiKey extends KeyLimits {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly createdAt: Date;
  /** Coarse: to the minute. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Returns every key of the scope that is valid at that instant, then the newest `ended` others; each newest first. */
export async function listApiKeys(
  { merchantId, environment }: Scope,
  at: Date,
  ended: number,
): Promise<ListedApiKey[]> {
  const select = (condition: string, limit: number | null) =>
    query<ListedApiKey>(
      `SELECT id, name, public_key AS "publicKey", created_at AS "createdAt", last_used_at AS "lastUsedAt",
              expires_at AS "expiresAt", revoked_at AS "revokedAt", ${LIMITS}
       FROM api_key WHERE merchant_id = $1 AND environment = $2 AND ${condition}
       ORDER BY created_at DESC, id DESC LIMIT $4`,
      merchantId,
      environment,
      at,
      limit,
    );
  const [valid, over] = await Promise.all([select(isValidAt("$3"), null), select(`NOT (${isValidAt("$3")})`, ended)]);
  return [...valid, ...over];
}

/** A key without the name and the limits, which it takes over from the one that it replaces. */
export type Replacement = Omit<NewApiKey, "name" | keyof KeyLimits>;

/** A key that another one replaces. */
interface ReplacedApiKey extends KeyLimits {
  readonly name: string;
  readonly publicKey: string;
}

/** Adds who rolls the key ($5). Postgres takes NULL || array for the array, but unknown makers stay unknown. */
const WITH_ROLLER = `CASE WHEN makers IS NULL OR makers @> $5::text[] THEN makers ELSE makers || $5::text[] END`;

/**
 * Ends the key `id` at `expiresAt` and stores the one that takes its place, with the same limits and an audit entry of
 * each. Returns the key that ends, or null if there is no such key, it has ended, or it was already replaced.
 */
export async function replaceApiKey(
  { id, expiresAt }: { readonly id: string; readonly expiresAt: Date },
  replacement: Replacement,
  act: Act,
): Promise<ReplacedApiKey | null> {
  const { merchantId, environment } = replacement;
  return inTransaction(async (transaction) => {
    const [old] = await transaction.query<ReplacedApiKey>(
      `UPDATE api_key SET expires_at = $4::timestamptz, makers = ${WITH_ROLLER}
       WHERE merchant_id = $1 AND environment = $2 AND id = $3 AND expires_at IS NULL AND ${isValidAt("$6")}
       RETURNING name, public_key AS "publicKey", ${LIMITS}`,
      merchantId,
      environment,
      id,
      expiresAt,
      makersOf(act),
      act.at,
    );
    if (!old) return null;
    const { publicKey, ...taken } = old;
    const { name } = taken;
    await transaction.query(INSERT, ...insertValues({ ...replacement, ...taken }, act));
    await copyKeyLimitsWithin(transaction, replacement, id, replacement.id);
    const was = { name, public_key: publicKey };
    const rolled = { before: { ...was, expires_at: null }, after: { ...was, expires_at: expiresAt } };
    const scope = { merchantId, environment };
    await recordChange(transaction, { ...scope, action: "api_key.roll", objectId: id, ...rolled }, act);
    const after = { name, public_key: replacement.publicKey, replaces: id, ...auditedLimits(old) };
    const created = { ...scope, action: "api_key.create", objectId: replacement.id, before: null, after };
    await recordChange(transaction, created, act);
    return old;
  });
}

/** Records use to the minute: one write a minute and key at most. */
export async function touchApiKey(merchantId: string, id: string): Promise<void> {
  await query(
    `UPDATE api_key SET last_used_at = date_trunc('minute', now())
     WHERE merchant_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < date_trunc('minute', now()))`,
    merchantId,
    id,
  );
}

/** Replaces the hash of a key's secret by one of the same secret under another pepper, unless it has changed. */
export async function storeRehashed(
  { merchantId, id, secretHash }: ApiKey,
  rehashed: Pick<ApiKey, "secretHash" | "pepperId">,
): Promise<void> {
  await query(
    `UPDATE api_key SET secret_hash = $4, pepper_id = $5 WHERE merchant_id = $1 AND id = $2 AND secret_hash = $3`,
    merchantId,
    id,
    secretHash,
    rehashed.secretHash,
    rehashed.pepperId,
  );
}
