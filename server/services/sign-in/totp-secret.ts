// The secret of a member's one-time codes at rest.
import { openText, resealText, sealText } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

export interface TotpOwner {
  readonly merchantId: string;
  readonly memberId: string;
}

function contextOf({ merchantId, memberId }: TotpOwner): string {
  return `member_totp|${merchantId}|${memberId}|secret`;
}

/** Returns the encrypted secret, given in base32. */
export function sealTotpSecret(owner: TotpOwner, secret: string): string {
  return sealText(keyRing(), "totp-secret", contextOf(owner), secret);
}

/** Decrypts to base32. Throws if the secret was moved to another member or its key was removed. */
export function openTotpSecret(owner: TotpOwner, sealed: string): string {
  return openText(keyRing(), "totp-secret", contextOf(owner), sealed);
}

/** Returns the secret under the current key; `id` is the member's. Throws as openTotpSecret does. */
export function resealTotpSecret({ merchantId, id }: { merchantId: string; id: string }, sealed: string): string {
  return resealText(keyRing(), "totp-secret", contextOf({ merchantId, memberId: id }), sealed);
}
