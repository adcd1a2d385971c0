// How a stored answer that holds a secret lies in the database: encrypted, and marked as such.
import type { Scope } from "@/server/domain/scope";
import { openText, sealText } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

/** No answer of ours begins with it: they are JSON. */
const MARK = "sealed:";

interface KeyName {
  readonly scope: Pick<Scope, "merchantId">;
  readonly apiKeyId: string;
  readonly key: string;
}

const contextOf = ({ scope, apiKeyId, key }: KeyName) => `idempotency_seal|${scope.merchantId}|${apiKeyId}|${key}|body`;

/** The body as it is stored. */
export function hideAnswer(name: KeyName, body: string): string {
  return MARK + sealText(keyRing(), "stored-answer", contextOf(name), body);
}

/** The body as it was answered, whether or not it was hidden. */
export function showAnswer(name: KeyName, stored: string): string {
  if (!stored.startsWith(MARK)) return stored;
  return openText(keyRing(), "stored-answer", contextOf(name), stored.slice(MARK.length));
}
