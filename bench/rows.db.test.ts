// Benchmarks copy the rows of one payment that Sluice created: new rules on their tables must not break that.
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { beforeAll, expect, it } from "vitest";
import { query } from "@/server/db/client";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { env, provideRuntime } from "@/server/platform/env";
import { prepareReferences } from "@/server/services/dispatch-references/prepare";
import { createPaymentIntent } from "@/server/services/payments/create";
import { keyed, makeMerchant, once, payment, type TestMerchant } from "@/server/testing/merchant";
import { queryAsOwner } from "@/server/testing/owner";
import { createPayment } from "./peer/payments";
import { makePeerTables, type Sample, takeSample } from "./peer/rows";
import { seededId, seedPayments } from "./seed";

const database = { query: queryAsOwner, close: async () => undefined };

let merchant: TestMerchant;
let sample: Sample;
beforeAll(async () => {
  provideRuntime({ databaseUrl: env().databaseUrl ?? "", referenceKey: randomBytes(32) });
  await prepareReferences();
  merchant = await makeMerchant();
  const create = (idempotency: Parameters<typeof createPaymentIntent>[2]) =>
    createPaymentIntent(merchant.context, payment(), idempotency);
  const { body } = await once<PaymentIntent>(keyed(merchant, "sample"), create);
  await makePeerTables(database);
  sample = await takeSample(database, (JSON.parse(body) as { id: string }).id);
});

it("seeds copies of a payment", async () => {
  const { merchantId } = merchant;
  await seedPayments(database, sample.payment_intent.id as string, merchantId, 100);
  const [row] = await query<{ payments: number; references: number }>(
    `SELECT count(*)::int AS payments, count(DISTINCT dispatch_reference)::int AS references FROM payment_intent
     WHERE merchant_id = $1`,
    merchantId,
  );
  expect(row).toEqual({ payments: 101, references: 101 });
  expect(await query(`SELECT id FROM payment_intent WHERE id = ${seededId("100")}`)).toHaveLength(1);
});

it.each(["statements", "cte"] as const)("writes the same rows for the baselines, by %s", async (writing) => {
  await queryAsOwner("TRUNCATE peer.payment_intent");
  const client = new Client({ connectionString: env().databaseUrl ?? "" });
  await client.connect();
  try {
    for (let time = 0; time < 3; time += 1) await createPayment(client, sample, writing);
  } finally {
    await client.end();
  }
  const rows = await queryAsOwner<{ status: string }>("SELECT status FROM peer.payment_intent");
  expect(rows.map(({ status }) => status)).toEqual(Array(3).fill("requires_action"));
});
