// Every benchmark begins with seeded payments: a new rule on their table must not break that.
import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { query } from "@/server/db/client";
import { env, provideRuntime } from "@/server/platform/env";
import { prepareReferences } from "@/server/services/dispatch-references/prepare";
import { withoutIdempotency } from "@/server/services/idempotency/completion";
import { createPaymentIntent } from "@/server/services/payments/create";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { seededId, seedPayments } from "./seed";

beforeAll(async () => {
  const { databaseUrl, secrets } = env();
  provideRuntime({ databaseUrl: databaseUrl ?? "", secrets, referenceKey: randomBytes(32) });
  await prepareReferences();
});

it("copies a payment as often as asked", async () => {
  const { context, merchantId } = await makeMerchant();
  const { intent: sample } = await createPaymentIntent(context, payment(), withoutIdempotency());
  await seedPayments({ query, close: async () => undefined }, sample.id, merchantId, 100);
  const [row] = await query<{ payments: number; references: number }>(
    `SELECT count(*)::int AS payments, count(DISTINCT dispatch_reference)::int AS references FROM payment_intent
     WHERE merchant_id = $1`,
    merchantId,
  );
  expect(row).toEqual({ payments: 101, references: 101 });
  expect(await query(`SELECT id FROM payment_intent WHERE id = ${seededId("100")}`)).toHaveLength(1);
});
