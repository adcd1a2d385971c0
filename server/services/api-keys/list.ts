// Listing API keys for the people who look after them.
import { listApiKeys as findApiKeys, type ListedApiKey } from "@/server/db/api-keys";
import { type ApiKeyState, apiKeyStateAt } from "@/server/domain/api-key";
import type { Scope } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";

export interface ApiKeyView extends ListedApiKey {
  readonly state: ApiKeyState;
}

/** So many of those that have ended are shown, for looking back. */
const ENDED_SHOWN = 50;

/** Every key of the scope that is good now, and the last ones that ended. */
export async function listApiKeys(scope: Scope): Promise<ApiKeyView[]> {
  const at = now();
  const keys = await findApiKeys(scope, at, ENDED_SHOWN);
  return keys.map((key) => ({ ...key, state: apiKeyStateAt(key, at) }));
}
