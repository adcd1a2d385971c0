// Encrypts stored answers that contain a secret, and marks them.
import type { Scope } from "@/server/domain/scope";
import { openText, sealText } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

/** No answer begins with this, since answers are JSON. */
const MARK = "sealed:";

interface KeyName {
  readonly scope: Pick<Scope, "merchantId">;
  readonly apiKeyId: string;
  readonly key: string;
}

const contextOf = ({ scope, apiKeyId, key }: KeyName) => `idempotency_seal|${scope.merchantId}|${apiKeyId}|${key}|body`;

/** Returns the encrypted body for storing. */
export function hideAnswer(name: KeyName, body: string): string {
  return MARK + sealText(keyRing(), "stored-answer", contextOf(name), body);
}

/** Returns the original body of an encrypted or plain stored answer. */
export function showAnswer(name: KeyName, stored: string): string {
  if (!stored.startsWith(MARK)) return stored;
  return openText(keyRing(), "stored-answer", contextOf(name), stored.slice(MARK.length));
}
