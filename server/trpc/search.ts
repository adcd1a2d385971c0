// The dashboard's search over payments, payouts, top-ups, events and recipients, which every reader of the lists may use.
import { z } from "zod";
import { formatInstant } from "@/server/contract/instants";
import { LONGEST_SEARCH, SHORTEST_SEARCH } from "@/server/domain/search-text";
import { type FoundRows, search } from "@/server/services/search/find";
import { memberProcedure, router } from "./procedures";

/** A control character is in nothing that is searched, and Postgres rejects one of them. */
const text = z
  .string()
  .max(LONGEST_SEARCH, { error: `must have at most ${LONGEST_SEARCH} characters` })
  .transform((typed) => typed.replace(/\p{Cc}/gu, " ").trim())
  .refine((typed) => typed.length >= SHORTEST_SEARCH, { error: `must have at least ${SHORTEST_SEARCH} characters` });

export const searchRouter = router({
  find: memberProcedure("read_intents")
    .input(z.object({ text }))
    .query(async ({ ctx: { call }, input }) => {
      const found = await search(call.scope, input.text);
      return {
        payments: present(found.payments, ({ amount, currency, ...intent }) => ({
          ...presentIntent(intent),
          status: intent.status,
          amount: amount.toString(),
          currency,
          payment_method: intent.paymentMethod,
        })),
        payouts: present(found.payouts, ({ amount, currency, recipient, ...intent }) => ({
          ...presentIntent(intent),
          status: intent.status,
          amount: amount.toString(),
          currency,
          holder_name: recipient.holderName,
        })),
        topups: present(found.topups, (intent) => ({
          ...presentIntent(intent),
          status: intent.status,
          amount: intent.destinationAmount.toString(),
          currency: intent.destinationCurrency,
          source_amount: intent.sourceAmount.toString(),
          source_currency: intent.sourceCurrency,
        })),
        events: present(found.events, ({ id, type, intentId, createdAt }) => ({
          id,
          type,
          intent_id: intentId,
          created_at: formatInstant(createdAt),
        })),
        recipients: present(found.recipients, (recipient) => ({
          id: recipient.id,
          holder_name: recipient.holderName,
          account_last4: recipient.accountLast4,
          bank_code: recipient.bankCode,
          country: recipient.country,
          currency: recipient.currency,
        })),
        /** References, names and amounts of what was created later may be missing; null if nothing is. */
        filled_until: found.filledUntil && formatInstant(found.filledUntil),
      };
    }),
});

function present<Row, Presented>({ rows, hasMore }: FoundRows<Row>, presentRow: (row: Row) => Presented) {
  return { data: rows.map(presentRow), has_more: hasMore };
}

interface PresentedIntent {
  readonly id: string;
  readonly merchantReference: string | null;
  readonly createdAt: Date;
}

function presentIntent({ id, merchantReference, createdAt }: PresentedIntent) {
  return { id, merchant_reference: merchantReference, created_at: formatInstant(createdAt) };
}
