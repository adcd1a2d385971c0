import type { PayoutIntent } from "@/server/domain/payout-intent";
import type { CallContext } from "@/server/domain/scope";
import type { Completed } from "../idempotency/completion";
import { withoutIdempotency } from "../idempotency/completion";
import { openRecipientAccount } from "../recipients/accounts";
import { getRecipient } from "../recipients/save";
import { type CreatePayout, createPayoutIntent } from "./create";

export interface CreatePayoutToRecipient {
  readonly recipientId: string;
  /** Minor-unit text, in the recipient's currency. */
  readonly amount: string;
  readonly merchantReference: string;
  /** The batch that it is a line of. */
  readonly batch?: CreatePayout["batch"];
}

/**
 * Creates a payout to a saved recipient; a repeated merchant reference returns the original. Throws not_found for an unknown
 * recipient, validation_failed for one that was removed or whose cool-off has not ended, and what createPayoutIntent throws.
 */
export async function createPayoutToRecipient(
  context: CallContext,
  { recipientId, amount, merchantReference, batch }: CreatePayoutToRecipient,
): Promise<Completed<PayoutIntent>> {
  const saved = await getRecipient(context.scope, recipientId);
  const { bankCode, holderName, currency, country } = saved;
  const recipient = { type: "bank_account", accountNumber: openRecipientAccount(saved), bankCode, holderName } as const;
  const command = { amount, currency, country, merchantReference, recipient, saved, ...(batch && { batch }) };
  return createPayoutIntent(context, command, withoutIdempotency());
}
