// A recipient's account number at rest: encrypted for dispatch, digested for comparison, last four characters for
// display.
import type { ProtectedAccount } from "@/server/domain/payout-intent";
import { digestMatches, hmacHex, keyedDigest, openText, resealText, sealText } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";

interface Owner {
  readonly merchantId: string;
  readonly id: string;
}

function sealContext({ merchantId, id }: Owner): string {
  return `payout_intent|${merchantId}|${id}|account_number`;
}

/** Ends digests of the comparison form; digests without it are of the number as typed. */
const COMPARED = ".3";

/** Returns the form for comparison: letters and digits, in capitals. Dispatch uses the number as given. */
export function comparedForm(accountNumber: string): string {
  return accountNumber
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toUpperCase();
}

/** The number as it is shown in part. */
function shownForm(accountNumber: string): string {
  return accountNumber.replace(/[\s-]/g, "").toUpperCase();
}

/** The digest is per merchant, so that equal accounts of two merchants cannot be linked. */
function digestContent(merchantId: string, accountNumber: string): string {
  return `3|${merchantId}|${comparedForm(accountNumber)}`;
}

/** Returns the contents of digests of earlier releases, with the text that ends each digest. */
function formerContents(
  merchantId: string,
  accountNumber: string,
): readonly (readonly [content: string, end: string])[] {
  return [
    [`2|${merchantId}|${shownForm(accountNumber)}`, ".2"],
    [`${merchantId}|${accountNumber}`, ""],
  ];
}

/** Returns the digest used to find an account. */
export function accountDigest(merchantId: string, accountNumber: string): string {
  return keyedDigest(keyRing(), "account-digest", digestContent(merchantId, accountNumber)) + COMPARED;
}

/** Returns the forms of an account number that may be stored. */
export function protectAccount(owner: Owner, accountNumber: string): ProtectedAccount {
  return {
    sealed: sealText(keyRing(), "account-encryption", sealContext(owner), accountNumber),
    digest: accountDigest(owner.merchantId, accountNumber),
  };
}

/** Returns all digests that a stored account of this number may have: under every key, in every form. */
export function accountDigests(merchantId: string, accountNumber: string): readonly string[] {
  const forms = [
    [digestContent(merchantId, accountNumber), COMPARED] as const,
    ...formerContents(merchantId, accountNumber),
  ];
  return keyRing()
    .all("account-digest")
    .flatMap(({ id, key }) => forms.map(([content, end]) => `${id}.${hmacHex(key, content)}${end}`));
}

/** Decrypts the full number, for use only during a call to the provider. */
export function openAccount(owner: Owner & { readonly account: ProtectedAccount }): string {
  return openText(keyRing(), "account-encryption", sealContext(owner), owner.account.sealed);
}

/** Returns the encrypted number of payout `id` under the current key. Throws as openAccount does. */
export function resealAccount(owner: Owner, sealed: string): string {
  return resealText(keyRing(), "account-encryption", sealContext(owner), sealed);
}

/** True if a digest is of the comparison form, under a key of the ring. */
function isComparable(digest: string): boolean {
  return digest.endsWith(COMPARED) && keyRing().byId("account-digest", digest.split(".", 1)[0] ?? "") !== null;
}

/** Returns true if the stored account is this number, ignoring case and everything but letters and digits. */
export function isSameAccount(owner: Owner & { readonly account: ProtectedAccount }, accountNumber: string): boolean {
  const { digest } = owner.account;
  if (!isComparable(digest)) return comparedForm(openAccount(owner)) === comparedForm(accountNumber);
  const content = digestContent(owner.merchantId, accountNumber);
  return digestMatches(keyRing(), "account-digest", digest.slice(0, -COMPARED.length), content);
}

/** Returns the last four characters without spaces and hyphens, the only part ever shown (interface §2.2). */
export function lastFour(accountNumber: string): string {
  return shownForm(accountNumber).slice(-4);
}
