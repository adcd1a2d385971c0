// Proves what callers of a commit get while the database hangs, and that one merchant's refusals leave the others' batches whole.
import { Client } from "pg";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import * as client from "@/server/db/client";
import { walletFunding } from "@/server/domain/ledger";
import type { PaymentIntent } from "@/server/domain/payment-intent";
import { newPayoutIntent, type PayoutIntent } from "@/server/domain/payout-intent";
import { samplePayout } from "@/server/domain/testing/samples";
import { env } from "@/server/platform/env";
import { newId } from "@/server/platform/ids";
import { asServiceError } from "@/server/services/outage";
import { createPayoutIntent } from "@/server/services/payouts/create";
import { countRows, requireInvariants } from "@/server/testing/invariants";
import {
  balanceOf,
  keyed,
  makeMerchant,
  OPENING,
  once,
  payment,
  payout,
  type TestMerchant,
} from "@/server/testing/merchant";
import { type Copy, loadTwice } from "@/server/testing/second-copy";
import { book, payoutCommitter, type Verdict } from "./commit";

/** The contract's bound: no caller waits longer for its 503. */
const BOUND_MS = 5_000;

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(sessions.splice(0).map((session) => session.end()));
  await requireInvariants();
});
afterAll(() => client.disconnect());

function payoutOf(merchant: TestMerchant, amount = 1n): PayoutIntent {
  const changes = { ...merchant.scope, id: newId("payoutIntent"), amount, merchantReference: newId("request") };
  return samplePayout("requires_approval", changes);
}

function create(merchant: TestMerchant, intent = payoutOf(merchant)): Promise<Verdict> {
  const { transactions } = newPayoutIntent({ ...intent, scope: merchant.scope }, new Date());
  const effects = { context: merchant.context, action: "payout_intent.create" };
  return payoutCommitter.create(intent, transactions, effects);
}

const sessions: Client[] = [];

/** A session beside the service's. */
async function connect(): Promise<Client> {
  const session = new Client({ connectionString: env().databaseUrl ?? "" });
  await session.connect();
  sessions.push(session);
  return session;
}

interface Outcome {
  readonly ms: number;
  readonly code: string;
}

async function timed(work: Promise<unknown>): Promise<Outcome> {
  const startedAt = performance.now();
  const code = await work.then(
    () => "done",
    (error: unknown) => asServiceError(error)?.code ?? String(error),
  );
  return { ms: performance.now() - startedAt, code };
}

const slowest = (outcomes: readonly Outcome[]) => Math.max(...outcomes.map(({ ms }) => ms));

/** Every statement that the service runs, as its number of units; -1 for other statements. */
function watchUnits(): number[] {
  const sizes: number[] = [];
  const { query } = client;
  vi.spyOn(client, "query").mockImplementation((sql: string, ...values: unknown[]) => {
    if (sql.includes("unit AS MATERIALIZED")) sizes.push((JSON.parse(String(values[0])) as unknown[]).length);
    return query(sql, ...values);
  });
  return sizes;
}

/** Creates payouts of 7 under keys and references of their own, one for each number, as the REST adapter does. */
function createKeyed(merchant: TestMerchant, n: number) {
  const reference = `outage-${n}`;
  return once(keyed(merchant, reference, reference), (sealing) =>
    createPayoutIntent(merchant.context, payout({ amount: "7", merchantReference: reference }), sealing),
  );
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** Does the work while every backend of the pool's connections is stopped, right after `before`. */
async function whileStopped<Result>(work: () => Promise<Result>, before?: () => Promise<unknown>): Promise<Result> {
  await Promise.all(Array.from({ length: 12 }, () => client.query("SELECT pg_sleep(0.1)::text")));
  const other = await connect();
  const { rows } = await other.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await before?.();
  rows.forEach(({ pid }) => process.kill(pid, "SIGSTOP"));
  try {
    return await work();
  } finally {
    rows.forEach(({ pid }) => process.kill(pid, "SIGCONT"));
  }
}

/** Keys whose claims are committed without an answer. */
async function countUnanswered({ merchantId }: TestMerchant): Promise<number> {
  const [row] = await client.query<{ keys: number }>(
    `SELECT count(*)::int AS keys FROM idempotency_key LEFT JOIN idempotency_seal s USING (merchant_id, api_key_id, key)
     WHERE merchant_id = $1 AND s.body IS NULL`,
    merchantId,
  );
  return row?.keys ?? 0;
}

/** The same requests again, each answered, and each done once in all. */
async function expectEachDoneOnce(merchant: TestMerchant, count: number): Promise<void> {
  const again = await Promise.all(upTo(count).map((n) => createKeyed(merchant, n)));
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await countRows("payout_intent", merchant.merchantId)).toBe(count);
  expect(await balanceOf(merchant)).toEqual([OPENING - 7n * BigInt(count), 7n * BigInt(count)]);
}

describe("while the database hangs", () => {
  it("64 creations, and 64 that come later, are refused within 5 s, and each is done once when it is repeated", async () => {
    const merchant = await makeMerchant();
    const outcomes = await whileStopped(async () => {
      const first = upTo(64).map((n) => timed(createKeyed(merchant, n)));
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const later = upTo(64).map((n) => timed(createKeyed(merchant, 64 + n)));
      return Promise.all([...first, ...later]);
    });
    expect(new Set(outcomes.slice(0, 64).map(({ code }) => code))).toEqual(new Set(["service_unavailable"]));
    expect(slowest(outcomes)).toBeLessThan(BOUND_MS);
    await expectEachDoneOnce(merchant, 128);
  });

  it("payments whose commits arrive after their 503 are resumed by retries at another process", async () => {
    const merchant = await makeMerchant();
    const [one, other] = await loadTwice();
    const commands = upTo(16).map((n) => payment({ merchantReference: `outage-${n}` }));
    const createAt = (copy: Copy, n: number) =>
      copy.once<PaymentIntent>(keyed(merchant, `k${n}`), (sealing) =>
        copy.createPaymentIntent(merchant.context, commands[n] ?? payment(), sealing),
      );
    // The first one fills the caches, so that those after it get as far as their commits.
    const outcomes = await whileStopped(
      () => Promise.all(upTo(15).map((n) => timed(createAt(one, n + 1)))),
      () => createAt(one, 0),
    );
    // A connection that the pool opens meanwhile is not stopped, so a few may be done.
    expect(outcomes.map(({ code }) => code)).toContain("service_unavailable");
    await expect.poll(() => countUnanswered(merchant)).toBeGreaterThan(0);
    const retryAll = () => Promise.all(upTo(16).map((n) => createAt(other, n).then(({ status }) => status, String)));
    await expect.poll(retryAll, { timeout: 10_000, interval: 500 }).toEqual(upTo(16).map(() => 201));
    expect(await countRows("payment_intent", merchant.merchantId)).toBe(16);
    expect(await countRows("provider_attempt", merchant.merchantId)).toBe(16);
  });

  it("behind a lock that another session holds, 64 creations are refused within 5 s, and a neighbor's are done", async () => {
    const [merchant, neighbor] = [await makeMerchant(), await makeMerchant()];
    const other = await connect();
    await other.query("BEGIN");
    await other.query("SELECT FROM ledger_account WHERE merchant_id = $1 FOR UPDATE", [merchant.merchantId]);
    const outcomes = await Promise.all(upTo(64).map((n) => timed(createKeyed(merchant, n))));
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(["service_unavailable"]));
    expect(slowest(outcomes)).toBeLessThan(BOUND_MS);
    const beside = [timed(createKeyed(merchant, 64)), ...upTo(8).map(() => timed(create(neighbor)))];
    const [locked, ...free] = await Promise.all(beside);
    expect(locked?.code).toBe("service_unavailable");
    expect(slowest([...(locked ? [locked] : []), ...free])).toBeLessThan(BOUND_MS);
    expect(new Set(free.map(({ code }) => code))).toEqual(new Set(["done"]));
    await other.query("ROLLBACK");
    await expectEachDoneOnce(merchant, 65);
  });

  it("a statement whose connection breaks is executed once, and every member of its batch is refused", async () => {
    const merchant = await makeMerchant();
    const [gate, other] = [await connect(), await connect()];
    await gate.query("BEGIN");
    await gate.query("SELECT FROM ledger_account WHERE merchant_id = $1 FOR UPDATE", [merchant.merchantId]);
    const sizes = watchUnits();
    const first = timed(create(merchant));
    const rest = Array.from({ length: 20 }, () => timed(create(merchant)));
    const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    for (const stopped of [1, 2]) {
      await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1);
      await other.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`);
      await expect.poll(() => sizes.length).toBeGreaterThanOrEqual(Math.min(stopped + 1, 2));
    }
    const outcomes = await Promise.all([first, ...rest]);
    await gate.query("ROLLBACK");
    expect(new Set(outcomes.map(({ code }) => code))).toEqual(new Set(["service_unavailable"]));
    expect(sizes).toEqual([1, 20]);
    expect(await countRows("payout_intent", merchant.merchantId)).toBe(0);
  });
});

it("a booking whose reply was lost, booked again, is already_booked", async () => {
  const merchant = await makeMerchant();
  const transaction = walletFunding("once", "BRL", 5n);
  const bookOnce = () =>
    book(transaction, "wallet:BRL", new Date(), { context: merchant.context, action: "wallet.fund" });
  const { query } = client;
  vi.spyOn(client, "query").mockImplementationOnce(async (sql: string, ...values: unknown[]) => {
    await query(sql, ...values);
    throw new Error("Connection terminated unexpectedly");
  });
  expect(await timed(bookOnce())).toMatchObject({ code: "service_unavailable" });
  expect(await bookOnce()).toBe("already_booked");
  expect(await balanceOf(merchant)).toEqual([OPENING + 5n, 0n]);
});

describe("one bad unit", () => {
  it("among 64 costs at most 2·log2(64)+1 statements, and harms no neighbour", async () => {
    const merchant = await makeMerchant();
    const sizes = watchUnits();
    const first = create(merchant);
    const bad = create(merchant, { ...payoutOf(merchant), country: "nowhere" }).catch(() => "refused" as const);
    const good = Array.from({ length: 63 }, () => create(merchant));
    expect(await bad).toBe("refused");
    expect(new Set(await Promise.all([first, ...good]))).toEqual(new Set(["committed"]));
    expect(sizes.slice(0, 2)).toEqual([1, 64]);
    expect(sizes.length - 1).toBeLessThanOrEqual(2 * Math.log2(64) + 1);
  });

  it("of a merchant that overdraws again and again leaves the other merchants' batches whole", async () => {
    const [poor, ...others] = await Promise.all(Array.from({ length: 5 }, () => makeMerchant()));
    if (!poor) throw new TypeError("no merchant");
    const overdraw = () => create(poor, payoutOf(poor, OPENING + 1n));
    expect(await overdraw()).toBe("insufficient_balance");
    let over = false;
    const noise = Array.from({ length: 4 }, async () => {
      while (!over) expect(await overdraw()).toBe("insufficient_balance");
    });
    const made: Verdict[] = [];
    for (let round = 0; round < 20; round += 1) {
      const creations = others.flatMap((one) => Array.from({ length: 8 }, () => create(one)));
      made.push(...(await Promise.all(creations)));
    }
    over = true;
    await Promise.all(noise);
    expect(new Set(made)).toEqual(new Set(["committed"]));
    const [written] = await client.query<{ transactions: number }>(
      "SELECT count(DISTINCT xmin::text)::int AS transactions FROM payout_intent WHERE merchant_id = ANY($1)",
      others.map(({ merchantId }) => merchantId),
    );
    // Of the 32 creations of a round the first goes alone and the 31 that gathered meanwhile together.
    expect(written?.transactions).toBeLessThanOrEqual(40);
    await expect(create(poor)).resolves.toBe("committed");
  });
});
