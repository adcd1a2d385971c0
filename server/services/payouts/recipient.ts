// The recipient of a payout with the account number in the clear.
import { NeedsOperator } from "@/server/domain/errors";
import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { PayoutRequest } from "@/server/psp/gateway";
import { openAccount } from "../account-numbers";

/** Decrypts the account number. Throws NeedsOperator if its secret is missing. */
export function openRecipient(intent: PayoutIntent): PayoutRequest["recipient"] {
  const { bankCode, holderName } = intent.recipient;
  try {
    return { accountNumber: openAccount(intent), bankCode, holderName };
  } catch (error) {
    throw new NeedsOperator(
      String(error),
      "Its account number cannot be decrypted: the secret that encrypted it is missing.",
    );
  }
}
