// Several web processes and workers are one service: the same answers, one effect, one shutdown.
import { paymentBody, payoutBody, unused } from "../rest/bodies";
import { bodyOf, createPayout, read, simulate, untilStatus, walletOf } from "../rest/calls";
import { openWorld, type World } from "../rest/world";
import { expect, test } from "../support/fixtures";
import { createKey, type Merchant } from "../support/merchant";
import { startService } from "../support/service";
import { type WebProcesses, webProcessesOf } from "./web-processes";

let world: World;
let merchant: Merchant;
let processes: WebProcesses;

test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  test.setTimeout(360_000);
  world = await openWorld(await startService({ env: { WEB_CONCURRENCY: "2", WORKER_CONCURRENCY: "2" } }));
  merchant = await world.newMerchant();
  processes = webProcessesOf(world);
});
test.afterAll(() => world.close());

test("what one process creates the others show; a payout is sent once and booked once", async () => {
  const key = merchant.keys.test;
  const created = await processes.send("POST", "/payment_intents", key, { body: paymentBody() });
  expect(created.status).toBe(201);
  const { id } = JSON.parse(created.text) as { id: string };
  const reads = await Promise.all(
    Array.from({ length: 16 }, () => processes.send("GET", `/payment_intents/${id}`, key)),
  );
  expect(new Set(reads.map(({ text }) => text)).size).toBe(1);
  expect(processes.answerersOf(reads)).toHaveLength(2);

  const api = world.apiFor(key);
  await simulate(api, id, "succeeded");
  await untilStatus(api, id, ["succeeded"]);
  const before = await walletOf(api, "BRL");
  const approve = await world.approver(merchant.id);
  const payout = await createPayout(api, { amount: "300" });
  await approve(payout.id);
  await untilStatus(api, payout.id, ["succeeded"]);
  const after = await walletOf(api, "BRL");
  expect(before.available + before.held - after.available - after.held).toBe(300n);
  expect((await read(api, payout.id)).status).toBe("succeeded");
});

test("64 requests under one key, spread over the processes, have one effect and one answer", async () => {
  const body = paymentBody();
  const key = unused("many");
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => processes.send("POST", "/payment_intents", merchant.keys.test, { body, key })),
  );
  expect(processes.answerersOf(answers)).toHaveLength(2);
  const done = answers.filter(({ status }) => status === 201);
  expect(new Set(done.map(({ text }) => text)).size).toBe(1);
  for (const { status, text } of answers) expect([201, 409], text).toContain(status);
  const rows = await world.database.query(
    "SELECT 1 FROM payment_intent WHERE merchant_reference = $1",
    body.merchant_reference,
  );
  expect(rows).toHaveLength(1);
});

test("every process rejects a revoked key within a second", async () => {
  const key = await createKey(world.service, merchant.id, "test");
  const knock = () => Promise.all(Array.from({ length: 16 }, () => processes.send("GET", "/wallets", key)));
  expect((await knock()).map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
  await world.cli("keys", "revoke", "--public-key", key.publicKey);
  const revokedAt = performance.now();
  await expect.poll(async () => (await knock()).filter(({ status }) => status === 200).length).toBe(0);
  // Requests that began a second or more after the revocation: none may pass, however slow the machine.
  await expect.poll(() => performance.now() - revokedAt).toBeGreaterThan(1_000);
  const late = await knock();
  expect(late.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 401));
  expect(processes.answerersOf(late)).toHaveLength(2);
});

test("a web process that is killed is replaced; the others continue, and nothing acknowledged is lost", async () => {
  test.setTimeout(180_000);
  const key = merchant.keys.test;
  const [victim = 0] = processes.requestsByProcess().keys();
  process.kill(victim, "SIGKILL");
  const made: string[] = [];
  await expect
    .poll(
      async () => {
        const answers = await Promise.all(
          Array.from({ length: 8 }, () =>
            processes.send("POST", "/payment_intents", key, { body: paymentBody() }).catch(() => null),
          ),
        );
        const fine = answers.flatMap((answer) => (answer?.status === 201 ? [answer] : []));
        made.push(...fine.map(({ text }) => (JSON.parse(text) as { id: string }).id));
        return processes.answerersOf(fine).length;
      },
      { timeout: 120_000 },
    )
    .toBe(2);
  const api = world.apiFor(key);
  for (const id of made) bodyOf(await api.get(`/payment_intents/${id}`), 200);
});

test("SIGTERM stops all of them in order", async () => {
  const api = world.apiFor(merchant.keys.test);
  bodyOf(await api.post("/payout_intents", payoutBody({ amount: "100" })), 201);
  expect(await world.service.stop()).toBe(0);
  for (const pid of processes.requestsByProcess().keys()) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
