// Proves that a request whose commit lost its reply is resumed, never executed again and never locked out.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as client from "@/server/db/client";
import type { ServiceError } from "@/server/domain/errors";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import { keyed, makeMerchant, once, payment, type TestMerchant } from "@/server/testing/merchant";
import { tamper } from "@/server/testing/owner";
import { type Copy, loadTwice } from "@/server/testing/second-copy";
import { createPaymentIntent } from "../payments/create";

let merchant: TestMerchant;
beforeEach(async () => {
  merchant = await makeMerchant();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await requireInvariants();
});

it("a request whose commit lost its reply resumes the object it created, under its own key", async () => {
  const command = payment();
  let rounds = 0;
  const answer = await once<PaymentIntent>(keyed(merchant, "k"), async (sealing) => {
    rounds += 1;
    const done = await createPaymentIntent(merchant.context, command, {
      ...sealing,
      present: () => ({ status: 201, body: "{}" }),
    });
    if (rounds > 1) return done;
    await tamper("idempotency_seal", "DELETE FROM idempotency_seal WHERE merchant_id = $1", merchant.merchantId);
    sealing.lease.acquired = false;
    sealing.lease.completed = false;
    throw new Error("the connection broke before the reply");
  });
  expect(answer).toMatchObject({ status: 201, replayed: false });
  expect(rounds).toBe(2);
  expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
  expect(await countRows("provider_attempt", merchant.merchantId)).toBe(1);
});

/** Disconnects the database from this copy of the services at its first commit, which arrives without its reply. */
function loseDatabaseAtCommit() {
  const { query: real } = client;
  const late: Promise<unknown>[] = [];
  const away = vi.spyOn(client, "query").mockImplementation(async (sql: string, ...values: unknown[]) => {
    if (late.length === 0) {
      const statement = real(sql, ...values);
      if (!sql.includes("unit AS MATERIALIZED")) return statement;
      late.push(statement);
    }
    throw new Error("Connection terminated unexpectedly");
  });
  return { restore: () => away.mockRestore(), arrived: () => Promise.all(late) };
}

it("the next retry resumes a commit that arrived after its 503, in an outage that also hid the key", async () => {
  const command = payment();
  const create = () =>
    once<PaymentIntent>(keyed(merchant, "k"), (sealing) => createPaymentIntent(merchant.context, command, sealing));
  const outage = loseDatabaseAtCommit();
  await expect(create()).rejects.toThrow("Connection terminated");
  outage.restore();
  await outage.arrived();
  expect(await create()).toMatchObject({ status: 201, replayed: false });
  expect(await create()).toMatchObject({ status: 201, replayed: true });
  expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
  expect(await countRows("provider_attempt", merchant.merchantId)).toBe(1);
});

it("a retry at another process resumes such a commit once the first process reaches the database again", async () => {
  const [one, other] = await loadTwice();
  const command = payment();
  const createAt = (copy: Copy) =>
    copy.once<PaymentIntent>(keyed(merchant, "k"), (sealing) =>
      copy.createPaymentIntent(merchant.context, command, sealing),
    );
  const outage = loseDatabaseAtCommit();
  await expect(createAt(one)).rejects.toThrow("Connection terminated");
  await outage.arrived();
  await expect(createAt(other)).rejects.toMatchObject({ code: "idempotency_conflict", retryAfterSeconds: 1 });
  outage.restore();
  const retry = () => createAt(other).catch(({ code }: ServiceError) => code);
  await expect.poll(retry, { timeout: 5_000, interval: 250 }).toMatchObject({ status: 201, replayed: false });
  expect(await createAt(one)).toMatchObject({ status: 201, replayed: true });
  expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
  expect(await countRows("provider_attempt", merchant.merchantId)).toBe(1);
});

it("the next retry resumes after a takeover of the key whose reply was lost too", async () => {
  const command = payment();
  const create = () =>
    once<PaymentIntent>(keyed(merchant, "k"), (sealing) => createPaymentIntent(merchant.context, command, sealing));
  const { query: real } = client;
  const losing = vi.spyOn(client, "query").mockImplementation(async (sql: string, ...values: unknown[]) => {
    const rows = await real(sql, ...values);
    if (!/unit AS MATERIALIZED|SET holder/.test(sql)) return rows;
    throw new Error("Connection terminated unexpectedly");
  });
  await expect(create()).rejects.toThrow("Connection terminated");
  losing.mockRestore();
  expect(await create()).toMatchObject({ status: 201, replayed: false });
  expect(await countRows("payment_intent", merchant.merchantId)).toBe(1);
});
