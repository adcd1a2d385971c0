// The REST operations on payment intents (interface §4.1, §4.2).

import { listPaymentIntentsQuery, pageOf } from "@/server/contract/lists";
import { createPaymentIntentBody, paymentIntentResource } from "@/server/contract/payment-intents";
import { listShownPayments } from "@/server/services/intents/list-shown";
import { getIntent } from "@/server/services/intents/read";
import { createPaymentIntent } from "@/server/services/payments/create";
import { PAYMENTS } from "@/server/services/payments/kind";
import { presentPage, readListQuery } from "../list";
import { type Operation, read, write } from "../operation";
import { presentPaymentIntent } from "../present/payment-intent";

const PATH = "/payment_intents";
const TAG = "Payment intents";

export const paymentIntentOperations: readonly Operation[] = [
  write({
    id: "createPaymentIntent",
    keyScope: "payment_intents:write",
    path: PATH,
    tag: TAG,
    summary: "Create a payment intent",
    description:
      "Collects money from a customer. Calls the provider immediately; if it answers in time, `next_action` states what " +
      "the customer must do. A repeated `merchant_reference` with equal fields returns 200 with the original.",
    extension: false,
    body: createPaymentIntentBody,
    idempotencyKey: "optional",
    worksWhileSuspended: false,
    answers: {
      200: { schema: paymentIntentResource, meaning: "The original intent of a repeated `merchant_reference`." },
      201: { schema: paymentIntentResource, meaning: "The new payment intent." },
    },
    errors: ["merchant_suspended", "duplicate_merchant_reference"],
    present: presentPaymentIntent,
    verb: ({ context, body }, sealing) =>
      createPaymentIntent(
        context,
        {
          amount: body.amount,
          currency: body.currency,
          country: body.country,
          paymentMethod: body.payment_method,
          merchantReference: body.merchant_reference,
          customer: body.customer ? dropAbsent(body.customer) : null,
          description: body.description ?? null,
          returnUrl: body.return_url ?? null,
        },
        sealing,
      ),
  }),
  read({
    id: "listPaymentIntents",
    keyScope: "payment_intents:read",
    path: PATH,
    tag: TAG,
    summary: "List payment intents, newest first",
    extension: true,
    query: listPaymentIntentsQuery,
    answers: { 200: { schema: pageOf(paymentIntentResource, "PaymentIntentPage"), meaning: "One page." } },
    errors: [],
    run: async ({ context: { scope }, query }) => {
      const { filter, after, limit } = readListQuery(scope, PATH, query);
      const page = await listShownPayments(scope, filter, after, limit);
      return presentPage(scope, PATH, page, presentPaymentIntent);
    },
  }),
  read({
    id: "getPaymentIntent",
    keyScope: "payment_intents:read",
    path: `${PATH}/:id`,
    tag: TAG,
    summary: "Read a payment intent",
    description: "To poll, start at 500 ms, double the interval up to 5 s, stop after about 60 s and rely on events.",
    extension: false,
    query: null,
    answers: { 200: { schema: paymentIntentResource, meaning: "The payment intent." } },
    errors: ["not_found"],
    run: async ({ context, params }) => presentPaymentIntent(await getIntent(PAYMENTS, context.scope, params.id ?? "")),
  }),
];

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Omits absent optional members, instead of leaving them present and undefined. */
function dropAbsent<T extends object>(value: T): Partial<Present<T>> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<Present<T>>;
}
