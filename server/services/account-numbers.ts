// A recipient's account number at rest: sealed for dispatch, digested for comparison, last four for people.
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

/** Marks digests of compared forms; those without it are of the number as it was typed. */
const COMPARED = ".2";

/** The form in which numbers are compared: without spaces and hyphens, in capitals. Dispatched is what was given. */
function comparedForm(accountNumber: string): string {
  return accountNumber.replace(/[\s-]/g, "").toUpperCase();
}

/** The digest is per merchant, so that equal accounts of two merchants cannot be linked. */
function digestContent(merchantId: string, accountNumber: string): string {
  return `2|${merchantId}|${comparedForm(accountNumber)}`;
}

/** What digests were made of before numbers were compared in one form. */
function formerContent(merchantId: string, accountNumber: string): string {
  return `${merchantId}|${accountNumber}`;
}

/** The digest by which an account is found among others. */
export function accountDigest(merchantId: string, accountNumber: string): string {
  return keyedDigest(keyRing(), "account-digest", digestContent(merchantId, accountNumber)) + COMPARED;
}

/** The forms in which an account number may be stored. */
export function protectAccount(owner: Owner, accountNumber: string): ProtectedAccount {
  return {
    sealed: sealText(keyRing(), "account-encryption", sealContext(owner), accountNumber),
    digest: accountDigest(owner.merchantId, accountNumber),
  };
}

/** The digests that a stored account of this number may have: under every key, and as it was made before. */
export function accountDigests(merchantId: string, accountNumber: string): readonly string[] {
  const [content, former] = [digestContent(merchantId, accountNumber), formerContent(merchantId, accountNumber)];
  return keyRing()
    .all("account-digest")
    .flatMap(({ id, key }) => [`${id}.${hmacHex(key, content)}${COMPARED}`, `${id}.${hmacHex(key, former)}`]);
}

/** The full number, for the time of a call to the provider; it goes nowhere else. */
export function openAccount(owner: Owner & { readonly account: ProtectedAccount }): string {
  return openText(keyRing(), "account-encryption", sealContext(owner), owner.account.sealed);
}

/** True when the stored account is this number, compared without spaces, hyphens and case. */
export function isSameAccount(owner: Owner & { readonly account: ProtectedAccount }, accountNumber: string): boolean {
  const { digest } = owner.account;
  if (!digest.endsWith(COMPARED)) return comparedForm(openAccount(owner)) === comparedForm(accountNumber);
  const content = digestContent(owner.merchantId, accountNumber);
  return digestMatches(keyRing(), "account-digest", digest.slice(0, -COMPARED.length), content);
}

/** The last four characters without spaces and hyphens, the only part that is ever shown (interface §2.2). */
export function lastFour(accountNumber: string): string {
  return comparedForm(accountNumber).slice(-4);
}
