// Checks API credentials (interface §5).
import { LRUCache } from "lru-cache";
import { type ApiKey, findApiKeyAcrossMerchants, storeRehashed, touchApiKey } from "@/server/db/api-keys";
import { hasMerchantLeft } from "@/server/db/failures";
import { apiKeyStateAt } from "@/server/domain/api-key";
import { ServiceError } from "@/server/domain/errors";
import type { KeyScope } from "@/server/domain/key-scopes";
import type { Scope } from "@/server/domain/scope";
import { type Cell, cellOfTag, currentCell, inCell, perCell } from "@/server/platform/cell";
import { isAddressIn } from "@/server/platform/client-address";
import { now } from "@/server/platform/clock";
import { equalTexts, hmacHex } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { log } from "@/server/platform/log";
import { withinMerchant } from "@/server/platform/reach";
import { countSampled, recordCounted } from "../audit/sampled";
import { inCellThatKnows } from "../cells/moved";
import { asServiceError } from "../outage";
import { createKeyLookUp } from "./look-up";
import { hashSecret, tagOfPublicKey } from "./new-key";

export interface Credentials {
  readonly publicKey: string;
  readonly secretKey: string;
}

export interface Authenticated {
  readonly apiKeyId: string;
  readonly scope: Scope;
  /** What the key may do; null means everything. */
  readonly keyScopes: readonly KeyScope[] | null;
}

/** A caller, and the cell that the key's merchant is in. */
export interface Located extends Authenticated {
  readonly cell: Cell;
}

const PUBLIC_KEY = /^pk_(?:test|live)_(?:[0-9A-Za-z]{24}|[0-9a-z]{2}_[0-9A-Za-z]{21})$/;
const SECRET_KEY = /^sk_(test|live)_[0-9A-Za-z]{43}$/;
const MINUTE_MS = 60_000;

/** Returns the cell in which a public key is found, if anywhere. */
export function cellOfPublicKey(publicKey: string): Cell {
  return cellOfTag(tagOfPublicKey(publicKey));
}

/** Public key to the tag of the cell that it moved to with its merchant: where this process looks first. */
const movedKeys = new LRUCache<string, string>({ max: 10_000 });

const keys = perCell(() => createKeyLookUp(findApiKeyAcrossMerchants));
/** The minute in which this process last recorded a key's use; an evicted one costs one more write. */
const lastTouches = new LRUCache<string, number>({ max: 10_000 });

const chargeNobody = (): void => {};

const REFUSAL = "The API credentials are missing or invalid.";

/** The only error of failed authentication, for every cause. */
function unauthorized(): ServiceError {
  return new ServiceError("unauthorized", REFUSAL);
}

/** The same for a key that the cell does not have: its merchant may have moved. */
class UnknownKey extends ServiceError {
  constructor() {
    super("unauthorized", REFUSAL);
  }
}

/** True if authentication failed because the cell does not have the key. */
function isUnknownKey(error: unknown): boolean {
  return error instanceof UnknownKey;
}

/**
 * Authenticates as `authenticate` does, in the cell that the key leads to or, if the cell does not have the key, in those to
 * which merchants moved from there. Throws service_unavailable while the key may be that of a merchant that moves.
 */
export async function authenticateInItsCell(
  credentials: Credentials | null,
  address?: string,
  chargeStranger: () => void = chargeNobody,
): Promise<Located> {
  const publicKey = credentials?.publicKey ?? "";
  const home = cellOfPublicKey(publicKey);
  const movedTo = movedKeys.get(publicKey);
  const start = movedTo === undefined ? home : cellOfTag(movedTo);
  let isCharged = false;
  const chargeOnce = () => {
    if (!isCharged) chargeStranger();
    isCharged = true;
  };
  const look = async () => ({ ...(await authenticate(credentials, address, chargeOnce)), cell: currentCell() });
  const lookFrom = (cell: Cell) => inCellThatKnows(cell, isUnknownKey, look, () => forgetApiKey(publicKey));
  const found = await lookFrom(start).catch((error: unknown) => {
    if (start === home) throw error;
    if (isUnknownKey(error)) {
      // The merchant may have come back, and the cell may have been restored to a time before it was there.
      movedKeys.delete(publicKey);
      return lookFrom(home);
    }
    if (asServiceError(error)?.code !== "service_unavailable") throw error;
    // The merchant may have come back from the cell that does not answer.
    return inCell(home, look).catch((atHome: unknown) => {
      throw isUnknownKey(atHome) ? error : atHome;
    });
  });
  if (found.cell !== start) movedKeys.set(publicKey, found.cell.tag);
  return found;
}

/**
 * Returns the key and scope of a pair of credentials. The public key determines the environment. Throws unauthorized
 * for an absent, malformed, unknown, expired, revoked or mismatched pair, and for an address outside the key's
 * networks. An unknown key costs what a wrong secret does: the comparison, the look-ups and the counting. Failures of known
 * keys are audited, with the caller's address. Calls `chargeStranger` before it looks up a public key that this process has
 * not found before, or whose credentials it refuses, and rejects with what that throws.
 */
export async function authenticate(
  credentials: Credentials | null,
  address?: string,
  chargeStranger: () => void = chargeNobody,
): Promise<Authenticated> {
  if (!credentials || !PUBLIC_KEY.test(credentials.publicKey)) throw unauthorized();
  const { publicKey, secretKey } = credentials;
  const look = await keys().get(publicKey, chargeStranger);
  const { key } = look;
  const pepper = key ? keyRing().byId("api-key-pepper", key.pepperId) : null;
  const expected = key && pepper ? key.secretHash : "0".repeat(64);
  const given = hmacHex((pepper ?? keyRing().current("api-key-pepper")).key, secretKey);
  const matches = equalTexts(given, expected);
  const isAllowed = key !== null && isFromNetworks(key, address);
  if (!matches || !key || !pepper || !isUsable(key, secretKey) || !isAllowed) {
    try {
      await keys().refuse(publicKey, look, chargeStranger);
    } finally {
      noteFailure(key, causeOf(matches, isAllowed), address);
    }
    throw key ? unauthorized() : new UnknownKey();
  }
  touch(key, secretKey);
  return {
    apiKeyId: key.id,
    scope: { merchantId: key.merchantId, environment: key.environment },
    keyScopes: key.scopes,
  };
}

function isFromNetworks({ networks }: ApiKey, address = ""): boolean {
  return networks === null || isAddressIn(address, networks);
}

function causeOf(matches: boolean, isAllowed: boolean): string {
  if (!matches) return "wrong_secret";
  return isAllowed ? "not_usable" : "other_network";
}

/** Whom failures with unknown keys are counted for. They are never recorded. */
const NOBODY = { merchantId: "", environment: "test", id: "" } as const;

/**
 * Counts the failure of any key, and records it if the key is known and the minute is over. Not awaited, and after the answer:
 * its time must not reveal that the key exists.
 */
function noteFailure(key: ApiKey | null, cause: string, address = ""): void {
  const { merchantId, environment, id } = key ?? NOBODY;
  const event = { merchantId, environment, action: "api_key.refused", objectId: id, kind: { cause } };
  const times = countSampled(event);
  if (!key || times === 0) return;
  const call = { actor: { type: "worker", id: "api" }, requestId: null, address: address || null } as const;
  setImmediate(() => void withinMerchant(merchantId, () => recordCounted(event, times, call)));
}

function isUsable(key: ApiKey, secretKey: string): boolean {
  const sameEnvironment = SECRET_KEY.exec(secretKey)?.[1] === key.environment;
  return sameEnvironment && ["active", "expiring"].includes(apiKeyStateAt(key, now()));
}

/**
 * Runs the work of a key's caller. If it throws that the merchant has left the running work's cell, this process forgets the
 * key there, so the next request finds the merchant's present cell. Rethrows what the work throws.
 */
export async function forgettingMovedKey<Result>(publicKey: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (hasMerchantLeft(error)) forgetApiKey(publicKey);
    throw error;
  }
}

/** Drops the key from this process's cache; other processes notice a revocation within a second. */
export function forgetApiKey(publicKey: string): void {
  keys().forget(publicKey);
}

/** Records the use and, after a rotation, the secret's hash under the current pepper. Not awaited. */
function touch(key: ApiKey, secretKey: string): void {
  const minute = Math.floor(now().getTime() / MINUTE_MS);
  if (lastTouches.get(key.id) === minute) return;
  lastTouches.set(key.id, minute);
  withinMerchant(key.merchantId, () => touchApiKey(key.merchantId, key.id)).catch((error: unknown) =>
    log().warn({ err: error }, "the last use of an API key was not recorded"),
  );
  if (key.pepperId === keyRing().current("api-key-pepper").id) return;
  withinMerchant(key.merchantId, () => storeRehashed(key, hashSecret(secretKey))).catch((error: unknown) =>
    log().warn({ err: error }, "an API key was not hashed under the current pepper"),
  );
}
