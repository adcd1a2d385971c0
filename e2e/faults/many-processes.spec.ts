// Several web processes and workers are one service: the same answers, one effect, one shutdown.
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { paymentBody, payoutBody, unused } from "../rest/bodies";
import { bodyOf, createPayout, read, simulate, untilStatus, walletOf } from "../rest/calls";
import { openWorld, type World } from "../rest/world";
import { basicAuthorization } from "../support/api";
import { expect, test } from "../support/fixtures";
import { type ApiKey, createKey, type Merchant } from "../support/merchant";
import { startService } from "../support/service";

let world: World;
let merchant: Merchant;

test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  test.setTimeout(360_000);
  world = await openWorld(await startService({ env: { WEB_CONCURRENCY: "2", WORKER_CONCURRENCY: "2" } }));
  merchant = await world.newMerchant();
});
test.afterAll(() => world.close());

/** The client's timeout: a connection given to a process just before it was killed is never answered. */
const PATIENCE_MS = 20_000;

interface Raw {
  readonly status: number;
  readonly text: string;
  readonly requestId: string;
}

/** Sends one request on a new connection, because connections are distributed among the processes. */
async function alone(method: string, path: string, key: ApiKey, more: { body?: object; key?: string } = {}) {
  const headers = {
    authorization: basicAuthorization(key),
    connection: "close",
    ...(more.body ? { "content-type": "application/json" } : {}),
    ...(more.key ? { "idempotency-key": more.key } : {}),
  };
  const sent = request(`${world.service.baseUrl}/v1${path}`, { method, headers, agent: false, timeout: PATIENCE_MS });
  sent.once("timeout", () => sent.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
  sent.end(more.body ? JSON.stringify(more.body) : undefined);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += chunk as string;
  const raw: Raw = { status: answer.statusCode ?? 0, text, requestId: String(answer.headers["request-id"]) };
  return raw;
}

/** Process id → its request ids, by the log. */
function requestsByProcess(): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  for (const line of world.service.logs.split("\n")) {
    if (!line.includes('"msg":"request"')) continue;
    const { pid, requestId } = JSON.parse(line) as { pid: number; requestId: string };
    found.set(pid, (found.get(pid) ?? new Set()).add(requestId));
  }
  return found;
}

/** The processes that sent the answers, without requests that got none. */
function answerersOf(answers: readonly Raw[]): number[] {
  const ids = new Set(answers.map(({ requestId }) => requestId));
  return [...requestsByProcess()].filter(([, own]) => [...own].some((id) => ids.has(id))).map(([pid]) => pid);
}

test("what one process creates the others show; a payout is sent once and booked once", async () => {
  const key = merchant.keys.test;
  const created = await alone("POST", "/payment_intents", key, { body: paymentBody() });
  expect(created.status).toBe(201);
  const { id } = JSON.parse(created.text) as { id: string };
  const reads = await Promise.all(Array.from({ length: 16 }, () => alone("GET", `/payment_intents/${id}`, key)));
  expect(new Set(reads.map(({ text }) => text)).size).toBe(1);
  expect(answerersOf(reads)).toHaveLength(2);

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
    Array.from({ length: 64 }, () => alone("POST", "/payment_intents", merchant.keys.test, { body, key })),
  );
  expect(answerersOf(answers)).toHaveLength(2);
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
  const knock = () => Promise.all(Array.from({ length: 16 }, () => alone("GET", "/wallets", key)));
  expect((await knock()).map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
  await world.cli("keys", "revoke", "--public-key", key.publicKey);
  const revokedAt = performance.now();
  await expect.poll(async () => (await knock()).filter(({ status }) => status === 200).length).toBe(0);
  // Requests that began a second or more after the revocation: none may pass, however slow the machine.
  await expect.poll(() => performance.now() - revokedAt).toBeGreaterThan(1_000);
  const late = await knock();
  expect(late.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 401));
  expect(answerersOf(late)).toHaveLength(2);
});

test("a web process that is killed is replaced; the others continue, and nothing acknowledged is lost", async () => {
  test.setTimeout(180_000);
  const key = merchant.keys.test;
  const [victim = 0] = requestsByProcess().keys();
  process.kill(victim, "SIGKILL");
  const made: string[] = [];
  await expect
    .poll(
      async () => {
        const answers = await Promise.all(
          Array.from({ length: 8 }, () =>
            alone("POST", "/payment_intents", key, { body: paymentBody() }).catch(() => null),
          ),
        );
        const fine = answers.flatMap((answer) => (answer?.status === 201 ? [answer] : []));
        made.push(...fine.map(({ text }) => (JSON.parse(text) as { id: string }).id));
        return answerersOf(fine).length;
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
  for (const pid of requestsByProcess().keys()) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
