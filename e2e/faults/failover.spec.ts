// Failover between two HTTP providers that each keep their own record: only one of them pays.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import type { PayoutIntentResource } from "@/server/contract/payout-intents";
import { createPayment, createPayout, untilStatus, walletOf } from "../rest/calls";
import { referenceOf } from "../rest/database";
import { type Approve, openWorld, type World } from "../rest/world";
import type { Api } from "../support/api";
import { type FakePsp, startFakePsp } from "../support/fake-psp/start";
import { expect, test } from "../support/fixtures";
import { startService } from "../support/service";

type Payment = PaymentIntentResource;
type Payout = PayoutIntentResource;

let first: FakePsp;
let second: FakePsp;
let world: World;
let live: Api;
let approve: Approve;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  test.setTimeout(180_000);
  [first, second] = await Promise.all([startFakePsp("first"), startFakePsp("second")]);
  const providers = [{ name: "first" }, { name: "second", weight: 0 }];
  const routes = (["payment", "payout"] as const).map((kind) => ({ kind, environment: "live", providers }));
  const env = { PROVIDERS: JSON.stringify([first.config(), second.config()]), ROUTES: JSON.stringify(routes) };
  world = await openWorld(await startService({ env }));
  await Promise.all([first, second].map((psp) => psp.callbacksTo(world.service.baseUrl)));
  ({ live, approve } = await world.liveParty("BRL"));
});

test.afterAll(async () => {
  await world.close();
  await Promise.all([first.stop(), second.stop()]);
});

const executed = async (psp: FakePsp) => psp.record({ event: "executed" });

/** How often each provider moved money for an intent, by their own records. */
async function executionsOf(id: string): Promise<number[]> {
  const known = await referenceOf(world.database, id);
  const records = await Promise.all([first, second].map(executed));
  return records.map((lines) => lines.filter(({ reference }) => reference === known).length);
}

/** The stored provider of the intent, and the providers that were skipped or left. */
async function routeOf(id: string): Promise<{ provider: string; skipped: string[]; left: string[] }> {
  const table = id.startsWith("dord_") ? "payment_intent" : "payout_intent";
  const [row] = await world.database.query<{ provider: string; skipped: string[]; left: string[] }>(
    `SELECT provider, jsonb_path_query_array(routing, '$.skipped[*].reason') AS skipped,
            jsonb_path_query_array(routing, '$.left[*].reason') AS left FROM ${table} WHERE id = $1`,
    id,
  );
  if (!row) throw new Error(`no intent ${id}`);
  return row;
}

test("the first does not accept: the second gets the payment in the same call and is paid", async () => {
  await first.misbehave({ mode: "not_accept", kind: "payments", operation: "create", times: 1 });
  const intent = await createPayment(live, { amount: "6100" });
  expect(intent).toMatchObject({ status: "requires_action" });
  expect(await routeOf(intent.id)).toEqual({ provider: "second", skipped: [], left: ["never_accepted"] });
  await second.happen({ reference: await referenceOf(world.database, intent.id), event: "executed" });
  await untilStatus<Payment>(live, intent.id, ["succeeded"]);
  expect(await executionsOf(intent.id)).toEqual([0, 1]);
});

test("the first executes and drops the answer: the payout never goes to the second", async () => {
  const { id } = await createPayout(live, { amount: "6200" });
  const reference = await referenceOf(world.database, id);
  await first.misbehave({ mode: "execute_then_drop", kind: "payouts", operation: "create", reference, times: 1 });
  await approve(id);
  await untilStatus<Payout>(live, id, ["succeeded"]);
  expect(await executionsOf(id)).toEqual([1, 0]);
  expect(await routeOf(id)).toEqual({ provider: "first", skipped: [], left: [] });
});

test("the first drops the connection without executing: it might have accepted, so the second gets nothing", async () => {
  const { id } = await createPayout(live, { amount: "6300" });
  const reference = await referenceOf(world.database, id);
  await first.misbehave({ mode: "drop", kind: "payouts", operation: "create", reference, times: 1 });
  await approve(id);
  await untilStatus<Payout>(live, id, ["succeeded"]);
  expect(await executionsOf(id)).toEqual([1, 0]);
});

test("the first refuses connections: the second pays, its breaker opens, and it gets work again once it is back", async () => {
  test.setTimeout(240_000);
  const before = await walletOf(live, "BRL");
  const payout = await createPayout(live, { amount: "6400" });
  await first.kill9();
  await approve(payout.id);
  await untilStatus<Payout>(live, payout.id, ["succeeded"]);
  expect(await routeOf(payout.id)).toEqual({ provider: "second", skipped: [], left: ["not_sent"] });
  expect(await walletOf(live, "BRL")).toEqual({ available: before.available - 6_400n, held: before.held });
  for (let n = 0; n < 5; n += 1) {
    const { id, status } = await createPayment(live);
    expect(status).toBe("requires_action");
    expect(await routeOf(id)).toEqual({ provider: "second", skipped: [], left: ["not_sent"] });
  }
  const next = async () => routeOf((await createPayment(live)).id);
  await expect.poll(next).toEqual({ provider: "second", skipped: ["breaker_open"], left: [] });
  await first.restart();
  const recovered = async () => (await next()).provider;
  await expect.poll(recovered, { timeout: 120_000, intervals: [1_000] }).toBe("first");
  expect(await recovered()).toBe("first");
  expect(await executionsOf(payout.id)).toEqual([0, 1]);
});

test("both records together equal our ledger, to the unit, and no intent is in both", async () => {
  const lines = (await Promise.all([first, second].map(executed))).flat();
  expect(new Set(lines.map(({ reference }) => reference)).size).toBe(lines.length);
  const booked = await world.database.query<{ reference: string; amount: string }>(
    `SELECT t.intent_id AS reference, abs(e.amount)::text AS amount FROM ledger_transaction t
     JOIN ledger_entry e ON (e.merchant_id, e.transaction_id) = (t.merchant_id, t.id)
     WHERE t.environment = 'live' AND starts_with(e.kind, 'provider_clearing')`,
  );
  for (const line of booked) line.reference = await referenceOf(world.database, line.reference);
  const told = lines.map(({ reference, amount }) => ({ reference, amount }));
  const byReference = (one: { reference: string }, other: { reference: string }) =>
    one.reference < other.reference ? -1 : 1;
  expect(booked.toSorted(byReference)).toEqual(told.toSorted(byReference));
  await world.cli("invariants");
});
