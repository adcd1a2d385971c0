// The form in which people see an API key.
import { formatInstant } from "@/server/contract/instants";
import type { ApiKeyView } from "@/server/services/api-keys/list";

/** Presents the key without its secret or anything derived from it. */
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
