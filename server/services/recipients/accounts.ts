// The account numbers of saved recipients at rest.
import type { PayoutRecipient } from "@/server/domain/payout-recipient";
import { openText, resealText, sealText } from "@/server/platform/crypto";
import { keyRing } from "@/server/platform/keys";
import { comparedForm } from "../account-numbers";

type Owner = Pick<PayoutRecipient, "merchantId" | "id">;

function sealContext({ merchantId, id }: Owner): string {
  return `payout_recipient|${merchantId}|${id}|account_number`;
}

/** Encrypts the account number of a recipient. */
export function sealRecipientAccount(owner: Owner, accountNumber: string): string {
  return sealText(keyRing(), "account-encryption", sealContext(owner), accountNumber);
}

/** Decrypts the account number, to create a payout or to compare it. Throws if its secret was removed. */
export function openRecipientAccount(recipient: PayoutRecipient): string {
  return openText(keyRing(), "account-encryption", sealContext(recipient), recipient.accountSealed);
}

/** Returns the encrypted number of recipient `id` under the current key. Throws as openRecipientAccount does. */
export function resealRecipientAccount(owner: Owner, sealed: string): string {
  return resealText(keyRing(), "account-encryption", sealContext(owner), sealed);
}

/** An account at a bank in a currency, for comparison: letters and digits, in capitals. */
export function accountKey(
  { bankCode, currency }: Pick<PayoutRecipient, "bankCode" | "currency">,
  accountNumber: string,
): string {
  return [comparedForm(accountNumber), comparedForm(bankCode), currency].join(" ");
}
