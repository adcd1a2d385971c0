// Where a registration's messages go: sealed at rest, because the URL of a chat channel grants access to it.
import { openText, resealText, sealText } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

type Field = "url" | "secret";

const contextOf = (merchantId: string, id: string, field: Field) =>
  `notification_registration|${merchantId}|${id}|${field}`;

interface Place {
  readonly merchantId: string;
  readonly id: string;
}

/** The value as it is stored with its registration. */
export function sealDestination({ merchantId, id }: Place, field: Field, value: string): string {
  return sealText(keyRing(), "webhook-secret", contextOf(merchantId, id, field), value);
}

/** Opens a stored value. Throws if it was moved to another registration or its key is gone. */
export function openDestination({ merchantId, id }: Place, field: Field, sealed: string): string {
  return openText(keyRing(), "webhook-secret", contextOf(merchantId, id, field), sealed);
}

/** Returns a function that seals stored values of the field under the current key. It throws as openDestination does. */
export function resealDestination(field: Field): (place: Place, sealed: string) => string {
  return ({ merchantId, id }, sealed) =>
    resealText(keyRing(), "webhook-secret", contextOf(merchantId, id, field), sealed);
}
