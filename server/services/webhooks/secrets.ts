// The signing secrets of endpoints: encrypted at rest, opened only to sign.
import { openText, resealText, sealText } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

const contextOf = (merchantId: string, endpointId: string) => `webhook_endpoint|${merchantId}|${endpointId}|secret`;

/** The secret as it is stored with its endpoint. */
export function sealSecret(merchantId: string, endpointId: string, secret: string): string {
  return sealText(keyRing(), "webhook-secret", contextOf(merchantId, endpointId), secret);
}

/** Opens a stored secret; throws when it was moved to another endpoint or its key is gone. */
export function openSecret(merchantId: string, endpointId: string, sealed: string): string {
  return openText(keyRing(), "webhook-secret", contextOf(merchantId, endpointId), sealed);
}

/** The stored secret of endpoint `id` under the current key. Throws as openSecret does. */
export function resealSecret({ merchantId, id }: { merchantId: string; id: string }, sealed: string): string {
  return resealText(keyRing(), "webhook-secret", contextOf(merchantId, id), sealed);
}
