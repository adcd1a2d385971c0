// The service behind a real PgBouncer in transaction mode: everything works, also while the pooler is restarted under load.
import { type Bridge, openBridge } from "../rest/bridge";
import { bodyOf, createPayout, createTopup, untilStatus } from "../rest/calls";
import { createEndpoint, endedPayment } from "../rest/webhook-calls";
import { expect, test } from "../support/fixtures";
import { AWAY, openPooledDatabase, type PooledDatabase } from "../support/pooled-database";
import { hasPgBouncer, passesNamesOn } from "../support/postgres/pgbouncer";
import { type Receiver, startReceiver } from "../support/receiver";
import { startService } from "../support/service";
import { playUnderLoad } from "./postgres/play";

let database: PooledDatabase;
let bridge: Bridge;
let receiver: Receiver;

test.describe.configure({ mode: "serial" });
test.skip(!hasPgBouncer(), "needs pgbouncer");
test.setTimeout(300_000);

test.beforeAll(async () => {
  test.setTimeout(300_000);
  database = await openPooledDatabase();
  // The replica for reports is away all the time: nothing here may read it.
  const env = { IDEMPOTENCY_LEASE_SECONDS: "1", ...AWAY };
  bridge = await openBridge({ database: database.variables, env });
  receiver = await startReceiver();
});

test.afterAll(async () => {
  await receiver?.stop();
  await bridge?.close();
  await database?.close();
});

test("a wrong DATABASE_STATEMENTS ends the start with what to set", async () => {
  test.skip(passesNamesOn(), "needs pgbouncer before 1.21");
  const started = startService({ database: { ...database.variables, DATABASE_STATEMENTS: "named" } });
  await expect(started).rejects.toThrow(
    /the service ended[^]*set DATABASE_STATEMENTS=unnamed, or max_prepared_statements/,
  );
});

test("payments, approved payouts, top-ups and webhooks run to their end", async () => {
  const api = bridge.world.apiFor(bridge.merchant.keys.test);
  await createEndpoint(api, receiver.url);
  for (const outcome of ["succeeded", "declined"]) await endedPayment(api, outcome);
  const { id } = await createPayout(bridge.live, { amount: "300" });
  await bridge.approve(id);
  await untilStatus(bridge.live, id, ["succeeded"]);
  expect((await createTopup(api)).status).toBe("requires_payment");
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(await bridge.world.cli("invariants")).toMatchObject({ violations: 0 });
});

test("no read of the REST API uses the replica for reports, which is away", async () => {
  const { world, merchant, live } = bridge;
  const api = world.apiFor(merchant.keys.test);
  const [event] = bodyOf<{ data: { id: string }[] }>(await api.get("/events"), 200).data;
  const { id } = await createPayout(live, { amount: "200" });
  await bridge.approve(id);
  await untilStatus(live, id, ["succeeded"]);
  const lists = ["/payment_intents", "/payout_intents", "/topup_intents", "/wallets", "/webhook_endpoints", "/events"];
  for (const path of [...lists, `/events/${event?.id}/deliveries`]) bodyOf(await api.get(path), 200);
  for (const path of ["/payment_methods?country=BR", `/payout_intents/${id}`]) bodyOf(await live.get(path), 200);
  expect(world.service.logs).toContain("REPORT_DATABASE_URL does not answer as a replica");
});

test("the pooler is killed under load and restarted: nothing is lost, nothing is paid twice, every invariant holds", async () => {
  const { unavailable, problems } = await playUnderLoad({ bridge }, async () => {
    await database.pooler.restart();
    return "the pooler was restarted";
  });
  expect(problems).toEqual([]);
  expect(unavailable).toBeGreaterThan(0);
});
