// Owns what the operator does with API keys, which the command line names by their public part (interface §5).
import { findApiKeyAcrossMerchants } from "@/server/db/api-keys";
import { notFoundError } from "@/server/domain/errors";
import type { CallContext, Environment } from "@/server/domain/scope";
import { createApiKey as createKey } from "../api-keys/create";
import type { CreatedKey } from "../api-keys/new-key";
import { revokeApiKey as revokeKey } from "../api-keys/revoke";
import { type RolledKey, rollApiKey as rollKey } from "../api-keys/roll";
import { operatorContext } from "./operator";

/** Creates an API key of a merchant for one environment. Throws not_found for an unknown merchant. */
export function createApiKey(merchantId: string, environment: Environment, name: string): Promise<CreatedKey> {
  return createKey(operatorContext(merchantId, environment), name);
}

/** Revokes a key from now on, on every process within a second. Throws not_found. */
export async function revokeApiKey(publicKey: string): Promise<Date> {
  const { context, id } = await byPublicKey(publicKey);
  return revokeKey(context, id);
}

/** Replaces a key, which goes on for that many seconds. Throws as `rollApiKey` of a scope does. */
export async function rollApiKey(publicKey: string, graceSeconds: number): Promise<RolledKey> {
  const { context, id } = await byPublicKey(publicKey);
  return rollKey(context, { id, graceSeconds });
}

async function byPublicKey(publicKey: string): Promise<{ readonly context: CallContext; readonly id: string }> {
  const key = await findApiKeyAcrossMerchants(publicKey);
  if (!key) throw notFoundError();
  return { context: operatorContext(key.merchantId, key.environment), id: key.id };
}
