// The REST operations on payout intents (interface §4.3, §4.4, §4.7).

import { listPayoutIntentsQuery, pageOf } from "@/server/contract/lists";
import { cancelPayoutIntentBody, createPayoutIntentBody, payoutIntentResource } from "@/server/contract/payout-intents";
import { listShownPayouts } from "@/server/services/intents/list-shown";
import { getIntent } from "@/server/services/intents/read";
import { cancelPayoutIntent } from "@/server/services/payouts/cancel";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { PAYOUTS } from "@/server/services/payouts/kind";
import { presentPage, readListQuery } from "../list";
import { type Operation, read, write } from "../operation";
import { presentPayoutIntent } from "../present/payout-intent";

const PATH = "/payout_intents";
const TAG = "Payout intents";

export const payoutIntentOperations: readonly Operation[] = [
  write({
    id: "createPayoutIntent",
    keyScope: "payout_intents:write",
    path: PATH,
    tag: TAG,
    summary: "Create a payout intent",
    description:
      "Sends money to a bank account. The amount is held in the wallet immediately; the payout stays `requires_approval` " +
      "until enough members approve it in the dashboard. API keys cannot approve payouts.",
    extension: false,
    body: createPayoutIntentBody,
    idempotencyKey: "optional",
    worksWhileSuspended: false,
    answers: {
      200: { schema: payoutIntentResource, meaning: "The original intent of a repeated `merchant_reference`." },
      201: { schema: payoutIntentResource, meaning: "The new payout intent." },
    },
    errors: ["merchant_suspended", "duplicate_merchant_reference", "insufficient_balance", "payout_limit_exceeded"],
    present: presentPayoutIntent,
    verb: ({ context, body }, sealing) =>
      createPayoutIntent(
        context,
        {
          amount: body.amount,
          currency: body.currency,
          country: body.country,
          merchantReference: body.merchant_reference,
          recipient: {
            type: body.recipient.type,
            accountNumber: body.recipient.account_number,
            bankCode: body.recipient.bank_code,
            holderName: body.recipient.holder_name,
          },
        },
        sealing,
      ),
  }),
  read({
    id: "listPayoutIntents",
    keyScope: "payout_intents:read",
    path: PATH,
    tag: TAG,
    summary: "List payout intents, newest first",
    extension: false,
    query: listPayoutIntentsQuery,
    answers: { 200: { schema: pageOf(payoutIntentResource, "PayoutIntentPage"), meaning: "One page." } },
    errors: [],
    run: async ({ context: { scope }, query }) => {
      const { filter, after, limit } = readListQuery(scope, PATH, query);
      return presentPage(scope, PATH, await listShownPayouts(scope, filter, after, limit), presentPayoutIntent);
    },
  }),
  read({
    id: "getPayoutIntent",
    keyScope: "payout_intents:read",
    path: `${PATH}/:id`,
    tag: TAG,
    summary: "Read a payout intent",
    extension: false,
    query: null,
    answers: { 200: { schema: payoutIntentResource, meaning: "The payout intent." } },
    errors: ["not_found"],
    run: async ({ context, params }) => presentPayoutIntent(await getIntent(PAYOUTS, context.scope, params.id ?? "")),
  }),
  write({
    id: "cancelPayoutIntent",
    keyScope: "payout_intents:write",
    path: `${PATH}/:id/cancel`,
    tag: TAG,
    summary: "Cancel a payout intent that awaits approval",
    description: "Releases the held amount. The reason is stored as `failure_message` and included in the event.",
    extension: false,
    body: cancelPayoutIntentBody,
    bodyOptional: true,
    idempotencyKey: "optional",
    worksWhileSuspended: true,
    answers: { 202: { schema: payoutIntentResource, meaning: "The cancelled payout intent." } },
    errors: ["not_found", "approval_required"],
    present: presentPayoutIntent,
    verb: ({ context, params, body }, sealing) =>
      cancelPayoutIntent(context, { id: params.id ?? "", reason: body.reason ?? null }, sealing),
  }),
];
