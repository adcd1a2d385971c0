// Lists API keys for members.
import { listApiKeys as findApiKeys, type ListedApiKey } from "@/server/db/api-keys";
import { type ApiKeyState, apiKeyStateAt } from "@/server/domain/api-key";
import type { Scope } from "@/server/domain/scope";
import { now } from "@/server/platform/clock";

export interface ApiKeyView extends ListedApiKey {
  readonly state: ApiKeyState;
}

/** Maximum number of ended keys in the list. */
const ENDED_SHOWN = 50;

/** Returns every valid key of the scope and the last ones that ended. */
export async function listApiKeys(scope: Scope): Promise<ApiKeyView[]> {
  const at = now();
  const keys = await findApiKeys(scope, at, ENDED_SHOWN);
  return keys.map((key) => ({ ...key, state: apiKeyStateAt(key, at) }));
}
