// The REST operations on top-up intents (interface §4.5, §4.7).

import { listTopupIntentsQuery, pageOf } from "@/server/contract/lists";
import { createTopupIntentBody, topupIntentResource } from "@/server/contract/topup-intents";
import { listShownTopups } from "@/server/services/intents/list-shown";
import { getIntent } from "@/server/services/intents/read";
import { createTopupIntent } from "@/server/services/topups/create";
import { TOPUPS } from "@/server/services/topups/kind";
import { presentPage, readListQuery } from "../list";
import { type Operation, read, write } from "../operation";
import { presentTopupIntent } from "../present/topup-intent";

const PATH = "/topup_intents";
const TAG = "Top-up intents";

export const topupIntentOperations: readonly Operation[] = [
  write({
    id: "createTopupIntent",
    keyScope: "topup_intents:write",
    path: PATH,
    tag: TAG,
    summary: "Create a top-up intent",
    description:
      "Funds the wallet from a crypto payment. The rate is fixed for 15 minutes; `next_action` states what to send where. " +
      "Without `merchant_reference`, only the required Idempotency-Key prevents a retry from creating a second top-up.",
    extension: false,
    body: createTopupIntentBody,
    idempotencyKey: "required",
    worksWhileSuspended: false,
    answers: {
      200: { schema: topupIntentResource, meaning: "The original intent of a repeated `merchant_reference`." },
      201: { schema: topupIntentResource, meaning: "The new top-up intent." },
    },
    errors: ["merchant_suspended", "duplicate_merchant_reference"],
    present: presentTopupIntent,
    verb: ({ context, body }, sealing) =>
      createTopupIntent(
        context,
        {
          destination: body.destination,
          source: {
            type: body.source.type,
            provider: body.source.provider ?? null,
            currency: body.source.currency,
            network: body.source.network ?? null,
          },
          country: body.country,
          merchantReference: body.merchant_reference ?? null,
        },
        sealing,
      ),
  }),
  read({
    id: "listTopupIntents",
    keyScope: "topup_intents:read",
    path: PATH,
    tag: TAG,
    summary: "List top-up intents, newest first",
    extension: false,
    query: listTopupIntentsQuery,
    answers: { 200: { schema: pageOf(topupIntentResource, "TopupIntentPage"), meaning: "One page." } },
    errors: [],
    run: async ({ context: { scope }, query }) => {
      const { filter, after, limit } = readListQuery(scope, PATH, query);
      return presentPage(scope, PATH, await listShownTopups(scope, filter, after, limit), presentTopupIntent);
    },
  }),
  read({
    id: "getTopupIntent",
    keyScope: "topup_intents:read",
    path: `${PATH}/:id`,
    tag: TAG,
    summary: "Read a top-up intent",
    description: "Top-ups have no events; poll to detect their end.",
    extension: true,
    query: null,
    answers: { 200: { schema: topupIntentResource, meaning: "The top-up intent." } },
    errors: ["not_found"],
    run: async ({ context, params }) => presentTopupIntent(await getIntent(TOPUPS, context.scope, params.id ?? "")),
  }),
];
