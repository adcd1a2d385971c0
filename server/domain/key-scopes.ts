// The scopes of API keys: each operation of the REST interface requires exactly one.
import { ServiceError } from "./errors";

/** Every scope. The database has the same list in a CHECK. */
export const KEY_SCOPES = [
  "payment_intents:read",
  "payment_intents:write",
  "payout_intents:read",
  "payout_intents:write",
  "topup_intents:read",
  "topup_intents:write",
  "wallets:read",
  "payment_methods:read",
  "events:read",
  "events:write",
  "webhook_endpoints:read",
  "webhook_endpoints:write",
  "sandbox:read",
  "sandbox:write",
  "api_logs:read",
] as const;

export type KeyScope = (typeof KEY_SCOPES)[number];

/** Narrows a text to a scope. */
export function isKeyScope(text: string): text is KeyScope {
  return (KEY_SCOPES as readonly string[]).includes(text);
}

/** Throws forbidden unless the scopes of a key contain the required one; null contains all. */
export function requireKeyScope(scopes: readonly KeyScope[] | null, required: KeyScope): void {
  if (scopes !== null && !scopes.includes(required))
    throw new ServiceError("forbidden", `This API key lacks the scope ${required}.`);
}
