// Owns what people are shown of an API key.
import { formatInstant } from "@/server/contract/instants";
import type { ApiKeyView } from "@/server/services/api-keys/list";

/** The key without anything made of its secret. */
export function presentApiKey({ id, name, publicKey, state, createdAt, ...times }: ApiKeyView) {
  const { lastUsedAt, expiresAt, revokedAt } = times;
  return {
    id,
    name,
    public_key: publicKey,
    state,
    created_at: formatInstant(createdAt),
    last_used_at: lastUsedAt && formatInstant(lastUsedAt),
    expires_at: expiresAt && formatInstant(expiresAt),
    revoked_at: revokedAt && formatInstant(revokedAt),
  };
}
