// The form in which people see an API key.
import { formatInstant } from "@/server/contract/instants";
import { keyEnd } from "@/server/domain/api-key";
import type { ApiKeyView } from "@/server/services/api-keys/list";

/** Presents the key without its secret or anything derived from it. */
export function presentApiKey({ id, name, publicKey, state, scopes, networks, createdAt, ...times }: ApiKeyView) {
  const { lastUsedAt, revokedAt } = times;
  const end = keyEnd(times);
  return {
    id,
    name,
    public_key: publicKey,
    state,
    scopes,
    networks,
    created_at: formatInstant(createdAt),
    last_used_at: lastUsedAt && formatInstant(lastUsedAt),
    expires_at: end && formatInstant(end),
    revoked_at: revokedAt && formatInstant(revokedAt),
  };
}
