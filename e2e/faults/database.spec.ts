// Database faults answer 503, release the key, and lose or duplicate nothing.
import type { PaymentIntentResource } from "@/server/contract/payment-intents";
import { paymentBody, payoutBody, unused } from "../rest/bodies";
import { type Bridge, openBridge } from "../rest/bridge";
import { bodyOf, refusalOf, untilStatus, walletOf } from "../rest/calls";
import { attemptsOf, openDatabase } from "../rest/database";
import type { World } from "../rest/world";
import type { Answer, Api } from "../support/api";
import { expect, test } from "../support/fixtures";

let bridge: Bridge;
let world: World;
let api: Api;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  bridge = await openBridge();
  world = bridge.world;
  api = world.apiFor(bridge.merchant.keys.test);
});

test.afterAll(() => bridge.close());

const keyed = () => ({ headers: { "idempotency-key": unused("fault") } });

function expectOutage(answer: Answer): void {
  expect(refusalOf(answer, 503).code).toBe("service_unavailable");
  expect(answer.headers.get("retry-after")).not.toBeNull();
}

test("a lock that is never granted: 503 in a few seconds, nothing held, and the same key then works immediately", async () => {
  const before = await walletOf(api, "BRL");
  const body = payoutBody({ amount: "600" });
  const options = keyed();
  const gate = await openDatabase(world.service.dataDir);
  await gate.query("BEGIN");
  await gate.query("SELECT FROM ledger_account WHERE merchant_id = $1 FOR UPDATE", bridge.merchant.id);
  const startedAt = Date.now();
  const stuck = await api.post("/payout_intents", body, options);
  expect(Date.now() - startedAt).toBeLessThan(30_000);
  expectOutage(stuck);
  await gate.query("ROLLBACK");
  await gate.close();
  expect(await walletOf(api, "BRL")).toEqual(before);
  bodyOf(await api.post("/payout_intents", body, options), 201);
  expect(await walletOf(api, "BRL")).toEqual({ available: before.available - 600n, held: before.held + 600n });
});

test("a fault after the provider was called: 503, then the same key returns that object, sent once", async () => {
  await bridge.psp.misbehave({ mode: "delay", ms: 2_000, kind: "payments", operation: "create", times: 1 });
  const body = paymentBody();
  const options = keyed();
  const gate = await openDatabase(world.service.dataDir);
  await gate.query("BEGIN");
  const request = bridge.live.post("/payment_intents", body, options);
  const byReference = "SELECT id FROM payment_intent WHERE merchant_reference = $1";
  const rows = () => world.database.query<{ id: string }>(byReference, body.merchant_reference);
  await expect.poll(rows, { intervals: [20] }).toHaveLength(1);
  await gate.query(`${byReference} FOR UPDATE`, body.merchant_reference);
  expectOutage(await request);
  await gate.query("ROLLBACK");
  await gate.close();
  const retry = bodyOf<PaymentIntentResource>(await bridge.live.post("/payment_intents", body, options), 201);
  expect(await rows()).toEqual([{ id: retry.id }]);
  const later = await untilStatus<PaymentIntentResource>(bridge.live, retry.id, ["requires_action"], 60_000);
  expect(later.next_action).not.toBeNull();
  expect(await attemptsOf(world.database, retry.id)).toBe(1);
  expect(await bridge.sendsOf(retry.id)).toBe(1);
});

const CLIENTS = 8;

test("every database session is ended repeatedly under load: only 201 or 503, and one effect per key", async () => {
  test.slow();
  const before = await walletOf(api, "BRL");
  const victim = await openDatabase(world.service.dataDir);
  const sent: { body: ReturnType<typeof payoutBody>; options: ReturnType<typeof keyed>; answer: Answer }[] = [];
  let over = false;
  const client = async () => {
    while (!over) {
      const body = payoutBody({ amount: "10" });
      const options = keyed();
      sent.push({ body, options, answer: await api.post("/payout_intents", body, options) });
    }
  };
  const load = Array.from({ length: CLIENTS }, client);
  for (let blow = 0; blow < 8; blow += 1) {
    await expect.poll(() => sent.length, { intervals: [50] }).toBeGreaterThan((blow + 1) * CLIENTS);
    await victim.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
  }
  over = true;
  await Promise.all(load);
  await victim.close();
  await world.reconnect();

  for (const { answer } of sent) {
    if (answer.status === 201) continue;
    expectOutage(answer);
  }
  for (const { body, options, answer } of sent) {
    const isRetry = answer.status === 503;
    const again = isRetry || Math.random() < 0.1 ? await api.post("/payout_intents", body, options) : answer;
    expect(again.status, again.text).toBe(201);
    if (!isRetry) expect(again.text).toBe(answer.text);
  }
  const [counted] = await world.database.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM payout_intent WHERE merchant_id = $1 AND amount = 10",
    bridge.merchant.id,
  );
  expect(counted?.n).toBe(sent.length);
  expect((await walletOf(api, "BRL")).held).toBe(before.held + BigInt(sent.length) * 10n);
});
