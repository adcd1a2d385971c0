// Owns a recipient's account number at rest: sealed for dispatch, digested for comparison, last four for people.
import type { ProtectedAccount } from "@/server/domain/payout-intent";
import { digestMatches, hmacHex, keyedDigest, openText, sealText } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

interface Owner {
  readonly merchantId: string;
  readonly id: string;
}

function sealContext({ merchantId, id }: Owner): string {
  return `payout_intent|${merchantId}|${id}|account_number`;
}

/** The digest is per merchant, so that equal accounts of two merchants cannot be linked. */
function digestContent(merchantId: string, accountNumber: string): string {
  return `${merchantId}|${accountNumber}`;
}

/** The forms in which an account number may be stored. */
export function protectAccount(owner: Owner, accountNumber: string): ProtectedAccount {
  return {
    sealed: sealText(keyRing(), "account-encryption", sealContext(owner), accountNumber),
    digest: keyedDigest(keyRing(), "account-digest", digestContent(owner.merchantId, accountNumber)),
  };
}

/** The digest of a number under every key that may have made a stored one, the newest first. */
export function accountDigests(merchantId: string, accountNumber: string): readonly string[] {
  const content = digestContent(merchantId, accountNumber);
  return keyRing()
    .all("account-digest")
    .map(({ id, key }) => `${id}.${hmacHex(key, content)}`);
}

/** The full number, for the time of a call to the provider; it goes nowhere else. */
export function openAccount(owner: Owner & { readonly account: ProtectedAccount }): string {
  return openText(keyRing(), "account-encryption", sealContext(owner), owner.account.sealed);
}

/** True when the stored account is this number. */
export function isSameAccount(owner: Owner & { readonly account: ProtectedAccount }, accountNumber: string): boolean {
  return digestMatches(
    keyRing(),
    "account-digest",
    owner.account.digest,
    digestContent(owner.merchantId, accountNumber),
  );
}

/** The last four characters, the only part that is ever shown (interface §2.2). */
export function lastFour(accountNumber: string): string {
  return accountNumber.slice(-4);
}
